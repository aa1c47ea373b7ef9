package ulfm

import "github.com/mangrove-emu/mangrove/protocols/tree"

// binomial is the tree in which so many members agree, or do what all take part in.
func binomial(members int) tree.InOrderBinomial {
	return tree.InOrderBinomial{Binomial: tree.Binomial{Ranks: members}}
}
