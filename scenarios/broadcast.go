package scenarios

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// A broadcast is a tree, a correction and how they go together: one value of each table.
var (
	starts = Choices[bool]{{"sync", false}, {"overlapped", true}}
	early  = Choices[bool]{{"join", false}, {"rest", true}}
	rings  = Choices[bool]{{"ring", false}, {"chain", true}}
)

var arrangementKeys = []Key{
	starts.Key("start", "when correction begins"),
	early.Key("early", "overlapped: what ranks do that it reaches first"),
	rings.Key("ring", "whether the root closes the circle of ranks"),
}

const maxRepeat = 1 << 20

var broadcastProtocol = Protocol{
	Name:    "broadcast",
	Summary: "one rank sends to all down a tree, then neighbours correct",
	Keys: slices.Concat([]Key{treeKey, orderKey, numberingKey, rootKey}, correctionKeys, arrangementKeys, []Key{
		NumberKey("repeat", 1, 1, maxRepeat, "broadcasts in a row"),
		autoKey("period", uint64(clock.MaxCost), "ticks from one to the next; 0: at once"),
	}),
	Build: buildBroadcast,
}

func buildBroadcast(s Settings) (Experiment, error) {
	options, err := broadcastOptions(s)
	if err != nil {
		return Experiment{}, err
	}
	b, err := broadcast.New(s.LogP(), options)
	if err != nil {
		return Experiment{}, err
	}
	e := Experiment{
		Machine: s.LogP(),
		Program: b.Program(mailbox.Message{}),
		Roots:   []int{b.Tree.Root()},
		Checks:  []Check{ReachesEveryLiveRank, NoDeadlock},
		Notes:   broadcastNotes(s),
	}
	if s.Int("repeat") == 1 && s.Typed("period") {
		e.Notes = append(e.Notes, idleNote(s, "period", "repeat"))
	}
	if s.Int("repeat") > 1 {
		return e, repeated(s, b, &e)
	}
	return e, nil
}

// broadcastOptions puts a tree and a correction together.
func broadcastOptions(s Settings) (broadcast.Options, error) {
	t, err := buildTree(s)
	if err != nil {
		return broadcast.Options{}, err
	}
	c, err := buildCorrection(s, t)
	if err != nil {
		return broadcast.Options{}, err
	}
	return broadcast.Options{
		Tree:       t,
		Correction: c,
		Overlapped: starts.Of(s, "start") || corrections.Of(s, "correction").keys == nil,
		EarlyRest:  early.Of(s, "early"),
		Chain:      rings.Of(s, "ring"),
	}, nil
}

// repeated makes a series of the broadcast.
func repeated(s Settings, b *broadcast.Broadcast, e *Experiment) error {
	usual := clock.Time(0)
	if !b.Overlapped {
		// Long enough that without failures, and with small gaps, they do not overlap.
		usual = tree.Latency(b.Tree, s.LogP()) + 16*s.LogP().Delivery()
	}
	series, err := broadcast.NewSeries(b, s.Int("repeat"), autoNumber(s, "period", usual))
	if err != nil {
		return err
	}
	measure := &latencies{broadcasts: s.Int("repeat"), root: b.Tree.Root()}
	e.Program = series.Program(mailbox.Message{}, measure.got)
	e.Prepare = measure.reset
	e.Figures = measure.figures
	return nil
}

// broadcastNotes says which keys were typed and do not matter.
func broadcastNotes(s Settings) []string {
	notes := treeNotes(s)
	idle := func(key, because string) {
		if s.Typed(key) {
			notes = append(notes, idleNote(s, key, because))
		}
	}
	used := corrections.Of(s, "correction").keys
	for _, key := range []string{"d", "f", "delay", "start", "early", "ring"} {
		if !slices.Contains(used, key) {
			idle(key, "correction")
		}
	}
	if slices.Contains(used, "early") && !starts.Of(s, "start") {
		idle("early", "start")
	}
	return notes
}
