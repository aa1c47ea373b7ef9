package cause

import (
	"fmt"
	"math"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// limit is how far what a rank did can have led to something: up to so many things that it did, and up to an instant.
type limit struct {
	place int
	at    clock.Time
}

var unlimited = limit{math.MaxInt, clock.Never}

// upTo is until a rank did that as so-manieth thing.
func upTo(place int32) limit { return limit{int(place), clock.Never} }

func upToTime(at clock.Time) limit { return limit{math.MaxInt, at} }

// within reports whether a rank did, or would have done, the n-th thing in time.
func (t *teller) within(rank, n int, until limit) bool {
	at := clock.Never
	for _, run := range []*trail{t.broken, t.whole} {
		if e := run.act(rank, n); e != nil {
			at = min(at, e.Time)
		}
	}
	return n <= until.place && at <= until.at
}

// actsBy is how many things a rank had done.
func (t *teller) actsBy(rank int, until limit) int {
	n := min(until.place, len(t.broken.acts[rank]))
	for n > 0 && t.broken.act(rank, n-1).Time > until.at {
		n--
	}
	return n
}

// before goes back from a rank that had done the same in both runs: what it had been told was something else, of which events do not say all, or it was told later.
func (t *teller) before(rank, first int, before string, until limit) question {
	hops, sender, found := t.heardOf(rank, until)
	if !found {
		return t.later(rank, min(first, t.actsBy(rank, until)), before)
	}
	for _, m := range hops {
		take := &t.broken.events[m.taken]
		t.add(take.Rank, take, nil, nil, fmt.Sprintf("%s had got %s at t=%d", t.who(take.Rank, before), t.from(take), take.Time))
		before = ""
	}
	last := hops[len(hops)-1]
	sent := t.broken.sender(last)
	return func() question {
		return t.why(sender, fmt.Sprintf("rank %d sent that at t=%d: ", sender, sent.Time), upTo(t.broken.place[last.send]))
	}
}

// heardOf finds the nearest rank that had done something else before it sent what this one had heard of until then: from its own messages, what these are due to, and
// so on. It returns the messages that lead there.
func (t *teller) heardOf(rank int, until limit) (hops []*message, sender int, found bool) {
	type visit struct {
		rank, acts, from int
		by               *message
	}
	visits := []visit{{rank: rank, acts: t.actsBy(rank, until), from: -1}}
	seen := map[int]int{rank: visits[0].acts}
	for i := 0; i < len(visits); i++ {
		v := visits[i]
		if first, same := t.firstDifference(v.rank); i > 0 && !same && first < v.acts {
			for ; i > 0; i = visits[i].from {
				hops = append([]*message{visits[i].by}, hops...)
			}
			return hops, v.rank, true
		}
		for n := v.acts - 1; n >= 0 && t.broken.act(v.rank, n).Kind != report.EventRejoin; n-- {
			if t.broken.act(v.rank, n).Kind != report.EventTake {
				continue
			}
			m := t.broken.messageTaken(v.rank, n)
			if m == nil {
				continue
			}
			from, acts := t.broken.sender(m).Rank, int(t.broken.place[m.send])
			if known, met := seen[from]; met && known >= acts {
				continue
			}
			seen[from] = acts
			visits = append(visits, visit{from, acts, i, m})
		}
	}
	return nil, 0, false
}
