package catalog

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// treeMaker makes a tree for a machine.
type treeMaker struct {
	make     func(machine clock.LogP, k int, n tree.Numbering) (tree.Tree, error)
	hasOrder bool // k is its arity or order
}

// trees is the table of shapes. A new one needs a line here and nothing else.
var trees = line.Choices[treeMaker]{
	{"binomial", treeMaker{func(p clock.LogP, _ int, n tree.Numbering) (tree.Tree, error) {
		return tree.NewBinomial(p.Ranks, n)
	}, false}},
	{"kary", treeMaker{func(p clock.LogP, k int, n tree.Numbering) (tree.Tree, error) { return tree.NewKary(p.Ranks, k, n) }, true}},
	{"lame", treeMaker{func(p clock.LogP, k int, n tree.Numbering) (tree.Tree, error) { return tree.NewLame(p.Ranks, k, n) }, true}},
	{"optimal", treeMaker{func(p clock.LogP, _ int, n tree.Numbering) (tree.Tree, error) { return tree.NewOptimal(p, n) }, false}},
}

var numberings = line.Choices[tree.Numbering]{
	{"interleaved", tree.Interleaved},
	{"in-order", tree.InOrder},
}

var (
	treeKey      = trees.Key("tree", "shape of the tree")
	orderKey     = line.NumberKey("k", 2, 1, clock.MaxRanks, "arity of kary, order of lame").Trying(line.Numbers(1, 4))
	numberingKey = numberings.Key("numbering", "who stands where in the tree")
	rootKey      = line.NumberKey("root", 0, 0, clock.MaxRanks-1, "rank that begins, below P").Trying(anyRank).Fitting(rootExists)
)

// anyRank tries all ranks.
func anyRank(s line.Settings) []string { return line.Numbers(0, s.Int("P")-1)(s) }

// treeIdle are the keys of a tree that have no effect.
var treeIdle = []line.Idle{{Key: "k", Because: "tree", If: func(s line.Settings) bool { return !trees.Of(s, "tree").hasOrder }}}

// buildTree makes the tree that a line asks for.
func buildTree(s line.Settings) (tree.Tree, error) {
	t, err := trees.Of(s, "tree").make(s.LogP(), s.Int("k"), numberings.Of(s, "numbering"))
	if err != nil {
		return nil, err
	}
	return tree.WithRoot(t, s.Int("root"))
}

// rootExists says if there is no such rank.
func rootExists(s line.Settings) error {
	if root, ranks := s.Int("root"), s.Int("P"); root >= ranks {
		return fmt.Errorf("root=%d: P=%d has ranks 0 to %d", root, ranks, ranks-1)
	}
	return nil
}
