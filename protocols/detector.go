package protocols

import (
	"errors"
	"math"

	"github.com/mangrove-emu/mangrove/mailbox"
)

// Failed is the kind of a failure detector's notices. Programs cannot send it, so that a
// notice can be trusted; a machine refuses it.
const Failed mailbox.Kind = math.MaxUint8

// Detector tells a rank which others have failed. It is a further contract: a machine may
// offer it or not.
//
// A failure is known to all some time after it happened; how long that takes, and whether
// ranks that hang are noticed, is a property of the machine. Ranks that have failed before
// the program begins are known from the start.
type Detector interface {
	// Suspects reports whether a rank is known by now to have failed.
	Suspects(rank int) bool
	// Watch asks for a notice, should the rank fail or have failed: a message of kind Failed
	// from that rank, received like any other. It comes as long after the failure as it takes
	// to be known, or as long after the call, if that is later. Every call leads to one notice
	// at most.
	Watch(rank int)
}

// Detecting is a Proc of a machine that may have a failure detector. What wraps a Proc should
// pass it on.
type Detecting interface {
	Proc
	// Detector returns the rank's view of it, or nil if there is none.
	Detector() Detector
}

// ErrNoDetector is what protocols say that need a failure detector and have none.
var ErrNoDetector = errors.New("protocols: the machine has no failure detector")

// DetectorOf returns the failure detector of a rank's machine, or ErrNoDetector.
func DetectorOf(p Proc) (Detector, error) {
	if d, ok := p.(Detecting); ok {
		if detector := d.Detector(); detector != nil {
			return detector, nil
		}
	}
	return nil, ErrNoDetector
}
