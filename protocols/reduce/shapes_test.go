package reduce_test

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// chain and star are the extreme shapes.
type chain int

func (t chain) Size() int                     { return int(t) }
func (t chain) Root() int                     { return 0 }
func (t chain) String() string                { return "chain" }
func (t chain) Parent(rank int) (int, bool)   { return rank - 1, rank > 0 }
func (t chain) Child(rank, i int) (int, bool) { return rank + 1, i == 0 && rank+1 < int(t) }

type star int

func (t star) Size() int                   { return int(t) }
func (t star) Root() int                   { return 0 }
func (t star) String() string              { return "star" }
func (t star) Parent(rank int) (int, bool) { return 0, rank > 0 }
func (t star) Child(rank, i int) (int, bool) {
	return 1 + i, rank == 0 && 1+i < int(t)
}

// newTree is the type of Options.Tree.
type newTree = func(size int) (tree.Tree, error)

// shapes are trees in order, by name.
var shapes = map[string]newTree{
	"default": nil,
	"chain":   func(size int) (tree.Tree, error) { return chain(size), nil },
	"star":    func(size int) (tree.Tree, error) { return star(size), nil },
	"binary":  func(size int) (tree.Tree, error) { return tree.NewKary(size, 2, tree.InOrder) },
	"lame":    func(size int) (tree.Tree, error) { return tree.NewLame(size, 3, tree.InOrder) },
	"optimal": func(size int) (tree.Tree, error) {
		return tree.NewOptimal(clock.LogP{Ranks: size, Latency: 2, Overhead: 1}, tree.InOrder)
	},
}
