package catalog

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

var bigProtocol = scenarios.Protocol{
	Name:    "big",
	Summary: "a binomial graph: all pass the message on to log2 P neighbours",
	Keys:    []line.Key{rootKey},
	Steps:   []string{broadcast.StepColoured},
	Fuzz:    scenarios.Fuzz{Common: []string{"receive"}},
	Build:   buildBig,
}

func buildBig(s line.Settings) (scenarios.Experiment, error) {
	root := s.Int("root")
	g, err := broadcast.NewBinomialGraph(s.Int("P"), root)
	if err != nil {
		return scenarios.Experiment{}, err
	}
	return spreading(g.Program(mailbox.Message{}), root, untimed, spread(othersFail(g.Tolerates()), nil)), nil
}
