package scenarios

import (
	"slices"

	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Registry is a list of protocols, by whose names and keys lines are read.
type Registry []Protocol

// Protocol is something that can be run by naming it on a line. All but its Name and Build are optional; [Registry.Validate]
// says what is wrong with one.
type Protocol struct {
	Name    string // one word
	Summary string // in a few words, for lists
	// Keys are the protocol's own, in addition to [line.CommonKeys].
	Keys line.Keys
	// Stores says that ranks use stable storage. Lines then have [line.StorageKeys], too, which say how long that takes.
	Stores bool
	// Idle says which of them have no effect, and when. Optional.
	Idle []line.Idle
	// Rejoins says that ranks may come back. Its guarantees then say themselves what is
	// promised if they do, or if links are cut; those of others promise next to nothing.
	Rejoins bool
	// RejoinsWith is a setting that lets ranks come back, such as strategy=respawn, if not all lines do. The promises of
	// other lines are those of a protocol that does not let them. Optional.
	RejoinsWith *Setting
	// Steps are the named points that ranks pass, at which schedules can let them fail. Optional.
	Steps []string
	// EventsIfAsked has promises that need events judged only where these are recorded anyway, as by run --trace and fuzz targets: it takes three times as long. Otherwise
	// events are recorded in every run of a line with such promises.
	EventsIfAsked bool
	// Fuzz says more about how to make up lines. Optional.
	Fuzz Fuzz
	// Build makes the experiment. Every setting has passed its key's Check and Fits; an error is
	// about settings that do not go together otherwise. It is told without the name of the package
	// that refuses them.
	Build func(line.Settings) (Experiment, error)
}

// Setting is a word of a line.
type Setting struct{ Key, Value string }

// letsBack reports whether ranks may come back on a line.
func (p Protocol) letsBack(s line.Settings) bool {
	if p.RejoinsWith == nil {
		return p.Rejoins
	}
	value, ok := s.Lookup(p.RejoinsWith.Key)
	return ok && value == p.RejoinsWith.Value
}

// OwnKeys returns the keys that not all protocols have.
func (p Protocol) OwnKeys() line.Keys {
	if p.Stores {
		return slices.Concat(p.Keys, line.StorageKeys())
	}
	return p.Keys
}

// AllKeys returns the protocol's own keys, then the common ones.
func (p Protocol) AllKeys() line.Keys { return slices.Concat(p.OwnKeys(), line.CommonKeys()) }

// ParseLine reads a line that names this protocol, see [Registry.Parse].
func (p Protocol) ParseLine(text string) (*Run, error) { return Registry{p}.ParseLine(text) }

// Lookup finds a protocol by its name.
func (g Registry) Lookup(name string) (Protocol, bool) {
	i := slices.IndexFunc(g, func(p Protocol) bool { return p.Name == name })
	if i < 0 {
		return Protocol{}, false
	}
	return g[i], true
}

// Names lists the protocols.
func (g Registry) Names() []string {
	var names []string
	for _, p := range g {
		names = append(names, p.Name)
	}
	return names
}
