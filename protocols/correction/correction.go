package correction

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Kinds of correction messages: the way they go. The numbers leave room for the
// dissemination's own kinds.
const (
	Leftward  mailbox.Kind = 100
	Rightward mailbox.Kind = 101
)

// KindName names the kinds of correction messages, and answers "" for others.
func KindName(k mailbox.Kind) string {
	switch k {
	case Leftward:
		return "left"
	case Rightward:
		return "right"
	}
	return ""
}

// IsCorrection reports whether a message is a correction and not dissemination.
func IsCorrection(k mailbox.Kind) bool { return k == Leftward || k == Rightward }

// Correction is one way to correct.
type Correction interface {
	// Run sends msg to neighbours until this rank has done its part. Correction messages
	// of the same epoch that are in the mailbox or come in meanwhile are received.
	Run(p protocols.Proc, msg mailbox.Message)
	// String names the correction as in a run line.
	String() string
}
