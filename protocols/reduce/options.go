package reduce

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
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
	var problems []string
	note := func(bad bool, format string, args ...any) {
		if bad {
			problems = append(problems, fmt.Sprintf(format, args...))
		}
	}
	err := machine.Validate()
	note(err != nil, "%v", err)
	note(o.Root < 0 || err == nil && o.Root >= machine.Ranks, "root %d, want 0 to %d", o.Root, machine.Ranks-1)
	note(o.Redundancy < 0, "redundancy f = %d ranks, want 0 or more", o.Redundancy)
	note(o.Bytes < 0, "longest payload = %d bytes, want 0 or more", o.Bytes)
	note(o.Operation == nil, "no operation, want one such as Sum")
	if problems == nil {
		return nil
	}
	return errors.New("reduce: " + strings.Join(problems, "; "))
}
