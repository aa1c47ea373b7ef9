package scenarios

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
)

var bigProtocol = Protocol{
	Name:    "big",
	Summary: "a binomial graph: all pass the message on to log2 P neighbours",
	Keys:    []Key{rootKey},
	Build:   buildBig,
}

func buildBig(s Settings) (Experiment, error) {
	root, err := rootOf(s)
	if err != nil {
		return Experiment{}, err
	}
	g, err := broadcast.NewBinomialGraph(s.LogP().Ranks, root)
	if err != nil {
		return Experiment{}, err
	}
	return Experiment{
		Machine: s.LogP(),
		Program: g.Program(mailbox.Message{}),
		Roots:   []int{root},
		Timing:  Timing{Assumes: NoLatency},
		Checks:  spreading,
	}, nil
}
