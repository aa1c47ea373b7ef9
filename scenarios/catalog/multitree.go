package catalog

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

var multiTreeProtocol = scenarios.Protocol{
	Name:    "multitree",
	Summary: "one rank sends to all down several trees at once",
	Keys: []line.Key{
		line.AutoKey("trees", 1, clock.MaxRanks, "how many, below P; auto: 2 where P allows").Trying(treesTried),
		line.AutoKey("k", 1, clock.MaxRanks, "arity, trees or more; auto: trees, 2 at least").Trying(aritiesTried),
		rootKey,
	},
	Steps: []string{broadcast.StepColoured},
	Build: buildMultiTree,
}

func treesTried(s line.Settings) []string { return line.Numbers(1, min(4, max(1, s.Int("P")-1)))(s) }

func aritiesTried(s line.Settings) []string { return line.Numbers(s.Int("trees"), s.Int("trees")+3)(s) }

func buildMultiTree(s line.Settings) (scenarios.Experiment, error) {
	ranks, root := s.Int("P"), s.Int("root")
	trees := line.AutoNumber(s, "trees", min(2, max(1, ranks-1)))
	m, err := broadcast.NewMultiTree(ranks, trees, line.AutoNumber(s, "k", max(2, trees)), root)
	if err != nil {
		return scenarios.Experiment{}, err
	}
	return spreading(m.Program(mailbox.Message{}), root, untimed, spread(othersFail(m.Tolerates()), nil)), nil
}
