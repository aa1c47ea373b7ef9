package catalog

import (
	"slices"

	"github.com/mangrove-emu/mangrove/scenarios"
)

// Has reports whether lines of a registry can name these protocols of the catalogue; without names, all of them. Another one of the same name is
// none of ours: it says something else about itself.
func Has(registry scenarios.Registry, names ...string) bool {
	if len(names) == 0 {
		names = catalogue.Names()
	}
	return !slices.ContainsFunc(names, func(name string) bool {
		ours, known := catalogue.Lookup(name)
		found, ok := registry.Lookup(name)
		return !known || !ok || found.Summary != ours.Summary
	})
}
