package search

import (
	"errors"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
)

// Ran is the guarantee that every program gives: it neither panics nor spins.
const Ran = "program neither panics nor spins"

// Blame looks at the error of a run that did not end. If it is the program's, as it panicked,
// spun or went on for ever, Blame returns the broken guarantee [Ran]. All other errors say
// nothing about the program.
func Blame(err error) (broken guarantee.Verdict, program bool) {
	var panicked *emu.PanicError
	var spun *emu.StepLimitError
	var endless *emu.TimeLimitError
	if !errors.As(err, &panicked) && !errors.As(err, &spun) && !errors.As(err, &endless) {
		return guarantee.Verdict{}, false
	}
	text, _, _ := strings.Cut(err.Error(), "\n") // the stack comes after it
	return guarantee.Verdict{Name: Ran, Evidence: strings.TrimPrefix(text, "emu: ")}, true
}
