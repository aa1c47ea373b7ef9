package tcp

import "time"

// offset is what a process knows of the coordinator's clock, which is on another host: by how much it is ahead of its own, on its own at some
// instant. It lies between two bounds that are certain, as no message arrives before it was sent; how fast messages are, and whether as
// fast there as back, does not matter (Cristian 1989; the intersection is that of Marzullo and NTP).
//
// Clocks drift apart, so the bounds do as well until the next answer.
type offset struct {
	low, high time.Duration
	at        time.Duration // on the own clock
}

// drift is how much two clocks may drift apart in a time, which is taken for granted: 100 ppm. Quartzes of computers are
// good for 50 and mostly better, and those that are kept in step with others for 1.
func drift(in time.Duration) time.Duration { return (in + driftPart - 1) / driftPart }

const driftPart = 10_000

// firstOffset is what one answer tells.
func firstOffset(asked, answered, shown time.Duration) offset {
	return offset{shown - answered, shown - asked + drift(answered-asked), answered}
}

// after is the offset some time later if nobody has asked meanwhile.
func (o offset) after(now time.Duration) offset {
	more := drift(now - o.at)
	return offset{o.low - more, o.high + more, now}
}

// and is what is known after one more answer. If the two contradict each other, a clock has drifted faster than clocks may, or has been
// stopped with its host: then the answer alone counts, and ok is false.
func (o offset) and(asked, answered, shown time.Duration) (both offset, ok bool) {
	next, before := firstOffset(asked, answered, shown), o.after(answered)
	both = offset{max(before.low, next.low), min(before.high, next.high), answered}
	if both.low > both.high {
		return next, false
	}
	return both, true
}

// middle is the best guess, as it may be wrong by least.
func (o offset) middle() time.Duration { return o.low + (o.high-o.low)/2 }

// errorOf is by how much a guess may be wrong.
func (o offset) errorOf(guess time.Duration) time.Duration { return max(guess-o.low, o.high-guess) }
