package ulfm

import (
	"github.com/mangrove-emu/mangrove/internal/recent"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

var shapes recent.Results[int, tree.Tree]

// binomial is the tree in which so many members agree, or do what all take part in.
func binomial(members int) tree.Tree {
	return shapes.Of(members, func(members int) tree.Tree {
		shape, err := tree.NewBinomial(members, tree.InOrder)
		if err != nil {
			panic("ulfm: " + err.Error())
		}
		return shape
	})
}
