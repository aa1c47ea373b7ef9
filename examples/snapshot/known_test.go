//go:build !bug

package snapshot

import (
	"testing"

	"github.com/mangrove-emu/mangrove/check/emutest"
)

// If a message may overtake another one on the same link, money is on neither side of the marker, or on both.
func TestMoneyIsLostOnLinksWithoutOrder(t *testing.T) {
	emutest.Known(t, emutest.Test{Machine: machine, New: bank, Random: 2000, NoFailures: true, Unordered: true},
		// the marker behind it is there first
		emutest.Break{Promise: "the snapshot has all the money", Faults: "late:0@send1+3"})
}
