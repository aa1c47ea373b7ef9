package reduce

import (
	"math"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// Options say what to reduce, and how.
type Options struct {
	Root       int       // the rank that gets the result
	Redundancy int       // f: how many ranks may fail
	Operation  Operation // how two values become one

	// Bytes is the length of the longest payload, of ranks' own values and of combined
	// ones. It matters on machines that charge for bytes, and 0 counts as 1 there.
	Bytes int

	// Tree makes the tree over the groups of a subtree, numbered in order. Nil: binomial.
	Tree func(size int) (tree.Tree, error)
}

// binomial is the tree of those who do not ask for another.
func binomial(size int) (tree.Tree, error) { return tree.NewBinomial(size, tree.InOrder) }

// payloadLimit is how many bytes the deadlines allow a payload: any number, if bytes cost nothing.
func (o *Options) payloadLimit(machine clock.LogP) int {
	if machine.PerByte == 0 {
		return math.MaxInt
	}
	return max(1, o.Bytes)
}

// validate returns an error that lists everything wrong with the options on this machine.
func (o *Options) validate(machine clock.LogP) error {
	var wrong problems.List
	err := machine.Validate()
	wrong.Note(err)
	wrong.Check(o.Root >= 0 && (err != nil || o.Root < machine.Ranks), "root %d, want 0 to %d", o.Root, machine.Ranks-1)
	wrong.Check(o.Redundancy >= 0, "redundancy f = %d ranks, want 0 or more", o.Redundancy)
	wrong.Check(o.Bytes >= 0, "longest payload = %d bytes, want 0 or more", o.Bytes)
	wrong.Check(o.Operation != nil, "no operation, want one such as Sum")
	return wrong.Err("reduce")
}
