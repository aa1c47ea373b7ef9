package cause

import (
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// Hop is a message on a [Path].
type Hop struct {
	Send *report.Event // at its sender
	Take *report.Event // when its receiver took it
	Wait clock.Time    // how long the receiver had done nothing else before
}

// mostHops is how far back a path goes.
const mostHops = 100_000

// Path is the chain of messages that led to an instant of a rank: the last message that it had taken by then, the last that its sender had taken before it
// sent that, and so on, back to one who had taken none. The report must have events.
func Path(rep *report.Report, rank int, by clock.Time) []Hop {
	return newTrail(rep).path(rank, by)
}

func (t *trail) path(rank int, by clock.Time) (hops []Hop) {
	n := len(t.acts[rank])
	for n > 0 && t.act(rank, n-1).Time > by {
		n--
	}
	for len(hops) < mostHops {
		for n--; n >= 0; n-- {
			e := t.act(rank, n)
			if e.Kind == report.EventRejoin {
				return hops // what it knew before is gone
			}
			if e.Kind == report.EventTake && t.messageTaken(rank, n) != nil {
				break
			}
		}
		if n < 0 {
			return hops
		}
		m, take := t.messageTaken(rank, n), t.act(rank, n)
		waited := take.Time
		if n > 0 {
			waited -= t.act(rank, n-1).Time
		}
		hops = append(hops, Hop{Send: t.sender(m), Take: take, Wait: waited})
		rank, n = t.sender(m).Rank, int(t.place[m.send])
	}
	return hops
}

// shownHops is how many messages of a path are named.
const shownHops = 4

// pathText tells a path in one line, and the longest wait on it.
func pathText(hops []Hop, names func(mailbox.Kind) string) string {
	if len(hops) == 0 {
		return "it had got no message"
	}
	t := teller{names: names}
	var b strings.Builder
	longest := 0
	for i, h := range hops {
		if h.Wait > hops[longest].Wait {
			longest = i
		}
		switch {
		case i < shownHops:
			fmt.Fprintf(&b, "%s (t=%d to %d) <- ", t.from(h.Take), h.Send.Time, h.Take.Time)
		case i == shownHops:
			fmt.Fprintf(&b, "%d more <- ", len(hops)-shownHops)
		}
	}
	last := hops[len(hops)-1].Send
	fmt.Fprintf(&b, "rank %d began", last.Rank)
	if h := hops[longest]; len(hops) > 1 && h.Wait > 0 {
		fmt.Fprintf(&b, "; the longest wait: rank %d, %d ticks, for %s", h.Take.Rank, h.Wait, t.kind(h.Take))
	}
	return b.String()
}
