package scenarios

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// A broadcast is a tree, a correction and a way to start it: one value of each table.
var (
	trees = Choices[func(Settings) (tree.Tree, error)]{
		{"binomial", func(s Settings) (tree.Tree, error) { return tree.Binomial{Ranks: s.LogP().Ranks}, nil }},
	}
	corrections = Choices[func(Settings) (correction.Correction, error)]{
		{"checked", func(Settings) (correction.Correction, error) { return &correction.Checked{}, nil }},
	}
	starts = Choices[func(clock.LogP, tree.Tree, correction.Correction) (*broadcast.Broadcast, error)]{
		{"sync", broadcast.New},
	}
)

var broadcastProtocol = Protocol{
	Name:    "broadcast",
	Summary: "rank 0 sends to all down a tree, then neighbours correct",
	Keys: []Key{
		trees.Key("tree", "shape of the dissemination tree"),
		corrections.Key("correction", "how gaps on the ring of ranks are closed"),
		starts.Key("start", "when correction begins"),
	},
	Build: buildBroadcast,
}

func buildBroadcast(s Settings) (Experiment, error) {
	machine := s.LogP()
	t, err := trees.Of(s, "tree")(s)
	if err != nil {
		return Experiment{}, err
	}
	c, err := corrections.Of(s, "correction")(s)
	if err != nil {
		return Experiment{}, err
	}
	b, err := starts.Of(s, "start")(machine, t, c)
	if err != nil {
		return Experiment{}, err
	}
	return Experiment{
		Machine: machine,
		Program: b.Program(mailbox.Message{}),
		Roots:   []int{broadcast.Root},
		Checks:  []Check{ReachesEveryLiveRank, NoDeadlock},
	}, nil
}
