package tree

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
)

// problems collects what is wrong with the arguments of a constructor.
type problems []string

// within notes a value outside low to high.
func (p *problems) within(name string, value, low, high int) {
	if value < low || value > high {
		*p = append(*p, fmt.Sprintf("%s %d, want %d to %d", name, value, low, high))
	}
}

// ranks notes a size that no machine has.
func (p *problems) ranks(ranks int) { p.within("ranks", ranks, 1, clock.MaxRanks) }

// numbering notes a numbering that does not exist.
func (p *problems) numbering(n Numbering) {
	if n != Interleaved && n != InOrder {
		*p = append(*p, fmt.Sprintf("numbering %d, want %d (%v) or %d (%v)",
			int(n), int(Interleaved), Interleaved, int(InOrder), InOrder))
	}
}

// err lists all of them in one error, or is nil.
func (p problems) err() error {
	if p == nil {
		return nil
	}
	return errors.New("tree: " + strings.Join(p, "; "))
}
