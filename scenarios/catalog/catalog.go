package catalog

import (
	"slices"

	"github.com/mangrove-emu/mangrove/scenarios"
)

// catalogue lists what can be run, in the order in which it is shown. A new protocol needs a line here.
var catalogue = scenarios.Registry{
	broadcastProtocol,
	multiTreeProtocol,
	gossipProtocol,
	bigProtocol,
	bfbProtocol,
	reduceProtocol,
	allReduceProtocol,
	membershipProtocol,
	ulfmProtocol,
	collectiveProtocol,
	sampleSortProtocol,
	tpchProtocol,
	calibrationProtocol,
}

// What looks at all messages hardly ever breaks, and takes a run three times as long.
func init() {
	for i := range catalogue {
		catalogue[i].EventsIfAsked = true
	}
}

// All returns the protocols of the catalogue.
func All() scenarios.Registry { return slices.Clone(catalogue) }

// Parse reads the words of a line that names one of them, see [Registry.Parse].
func Parse(words []string) (*scenarios.Run, error) { return catalogue.Parse(words) }

// ParseLine is Parse for a line of text.
func ParseLine(text string) (*scenarios.Run, error) { return catalogue.ParseLine(text) }
