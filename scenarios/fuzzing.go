package scenarios

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Fuzz says how lines of a protocol are made up, where that is not what its keys say. All is optional.
type Fuzz struct {
	// Common are the common keys that are tried besides P, L, o and g.
	Common []string
	// Tries are in the place of those of keys, by their names.
	Tries map[string]line.Tries
	// Scale is how many ticks apart neighbouring instants of a schedule are, for programs that take
	// much longer than 256 ticks. 0 is 1.
	Scale clock.Time
}

// MakeUp makes up a line, without faults: choose is asked for one of the values of each key that is
// tried, those of the machine first ([line.MakeUp]).
func (p Protocol) MakeUp(choose func(key line.Key, values []string) string) string {
	common := line.CommonKeys()
	keys := slices.Concat(common, p.OwnKeys())
	for i := range keys {
		name := keys[i].Name
		if tries, ok := p.Fuzz.Tries[name]; ok {
			keys[i].Tries = tries
		}
		if i < len(common) && !slices.Contains([]string{"P", "L", "o", "g"}, name) && !slices.Contains(p.Fuzz.Common, name) {
			keys[i].Tries = nil
		}
	}
	return line.MakeUp(p.Name, keys, p.Idle, choose)
}

// Decoder makes schedules of bytes, for runs of the protocol on so many ranks.
func (p Protocol) Decoder(ranks int) faults.Decoder {
	return faults.Decoder{Ranks: ranks, Steps: p.Steps, Rejoin: p.Rejoins, Cut: p.Rejoins, Mend: p.Rejoins, Messages: true, Storage: p.Stores, Scale: p.Fuzz.Scale}
}
