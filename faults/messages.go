package faults

import "github.com/mangrove-emu/mangrove/internal/problems"

// whichMessages is how to say which messages are meant.
const whichMessages = "@send and a number after ranks, or @t and a time after links such as 0>3"

// checkMessages looks at what only faults of messages have: which ones they are, and by how much they are late.
func (f *Fault) checkMessages(wrong *problems.List) {
	switch {
	case f.Kind.Delays():
		delaySpan.check(wrong, int64(f.Delay))
	default:
		unused(wrong, "delay", f.Delay, f.Delay != 0, "late and twice")
	}
	switch timed := f.OfLinks() && f.Kind.OfMessages(); {
	case !timed:
		unused(wrong, "Until", f.Until, f.Until != 0, "a fault of messages on links")
	case f.Until != 0 && (f.Until <= f.At.Time || !timeSpan.has(int64(f.Until))):
		wrong.Add("times t%d to t%d, want a later end, up to %d", f.At.Time, f.Until, timeSpan.high)
	}
	if f.Kind.OfMessages() && !f.OfLinks() && f.At.Anchor != MidSend && f.At.Anchor <= lastAnchor {
		wrong.Add("point %s, want %s", f.At, whichMessages)
	}
}
