package search

import (
	"errors"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
)

// Ran is the guarantee that every program gives: it neither panics nor spins.
const Ran = "program neither panics nor spins"

// Blame looks at the error of a run that did not end. If it is the program's, as it panicked,
// spun or went on for ever, Blame returns the broken guarantee [Ran]. All other errors say
// nothing about the program.
func Blame(err error) (broken guarantee.Verdict, program bool) {
	var blamed emu.ProgramError
	if !errors.As(err, &blamed) {
		return guarantee.Verdict{}, false
	}
	return guarantee.Verdict{Name: Ran, Evidence: blamed.Happened()}, true
}
