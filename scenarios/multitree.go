package scenarios

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
)

var multiTreeProtocol = Protocol{
	Name:    "multitree",
	Summary: "one rank sends to all down several trees at once",
	Keys: []Key{
		autoKey("trees", 1, MaxRanks, "how many, below P; auto: 2 where P allows"),
		autoKey("k", 1, MaxRanks, "arity, trees or more; auto: trees, 2 at least"),
		rootKey,
	},
	Build: buildMultiTree,
}

func buildMultiTree(s Settings) (Experiment, error) {
	root, err := rootOf(s)
	if err != nil {
		return Experiment{}, err
	}
	ranks := s.LogP().Ranks
	trees := autoNumber(s, "trees", min(2, max(1, ranks-1)))
	m, err := broadcast.NewMultiTree(ranks, trees, autoNumber(s, "k", max(2, trees)), root)
	if err != nil {
		return Experiment{}, err
	}
	return Experiment{
		Machine: s.LogP(),
		Program: m.Program(mailbox.Message{}),
		Roots:   []int{root},
		Timing:  Timing{Assumes: NoLatency},
		Checks:  spreading,
	}, nil
}
