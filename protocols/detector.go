package protocols

import (
	"errors"
	"fmt"
	"math"

	"github.com/mangrove-emu/mangrove/mailbox"
)

// Failed is the kind of a failure detector's notices. Programs cannot send it, so that a
// notice can be trusted; a machine refuses it.
const Failed mailbox.Kind = math.MaxUint8

// Detector tells a rank which others have failed. A machine may have one or not.
//
// A failure is known some time after it happened; how long that takes, whether that is the same for
// all observers, whether ranks that hang are noticed, and whether ranks count as failed that live,
// is a property of the machine. Ranks that have failed before the program begins are known to all
// from the start.
//
// Each rank has a list of failures of its own, in the order in which it came to know of them. At an instant the lists of two
// ranks may differ in length and in order; what one of them knows, the other will know unless it fails first.
//
// A rank that fails and is started again is suspected no more, but its failure has happened:
// Known goes on to tell of it, and of the next one if there is one.
type Detector interface {
	// Suspects reports whether a rank is known here, by now, to have failed.
	Suspects(rank int) bool
	// Known returns the n-th failure that is known here by now, counted from 0, in the order in which
	// this rank came to know of them, those of one instant by rank. What a rank has been told once stays:
	// its list only grows, at its end, through all its lives. Another rank's n-th failure may be another one.
	Known(n int) (rank int, ok bool)
	// Failures counts the failures of a rank among the first so many of that list. It tells nothing
	// new: it is for those who have been told of as many, and do not keep the list themselves.
	Failures(rank, among int) int
	// Watch asks for a notice, should the rank fail or have failed: a message of kind Failed
	// from that rank, received like any other. It comes as long after the failure as it takes
	// to be known here, or as long after the call, if that is later. Every call leads to one notice
	// at most.
	Watch(rank int)
	// WatchNext asks for a notice when the n-th failure becomes known here, counted as Known does: a
	// message of kind Failed from the rank that failed. Like that of Watch it comes as long
	// after the call as the failure takes to be known, if that is later. Every call leads to one
	// notice at most.
	WatchNext(n int)
}

// ErrNoDetector is what protocols say that need a failure detector and have none.
var ErrNoDetector = errors.New("protocols: the machine has no failure detector")

// DetectorOf returns the failure detector of a rank's machine, or ErrNoDetector.
func DetectorOf(p Proc) (Detector, error) {
	if d := p.Detector(); d != nil {
		return d, nil
	}
	return nil, ErrNoDetector
}

// CheckTarget panics if a call of a Detector is about a rank that does not exist. It is for machines.
func CheckTarget(call string, rank, size int) {
	if uint(rank) >= uint(size) {
		panic(fmt.Sprintf("protocols: %s of rank %d, want 0 to %d", call, rank, size-1))
	}
}

// CheckNumber panics if a call of a Detector is about a failure before the first one. It is for machines.
func CheckNumber(call string, n int) {
	if n < 0 {
		panic(fmt.Sprintf("protocols: %s of failure %d, want 0 or more", call, n))
	}
}
