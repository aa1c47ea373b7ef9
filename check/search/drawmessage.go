package search

import (
	"math/bits"
	"math/rand/v2"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// message lets something happen to one message, or for a while to all of a link, of a sender or for a receiver.
func (d *drawer) message(random *rand.Rand, kind faults.Kind) faults.Fault {
	f := faults.Fault{Kind: kind}
	if kind.Delays() {
		f.Delay = d.delay(random)
	}
	from := random.IntN(len(d.lives))
	if len(d.lives) > 1 && random.IntN(4) == 0 {
		f.Left, f.Right, f.OneWay = faults.GroupOf(from), d.other(random, from), true
		if f.Right == faults.Others && random.IntN(2) == 0 {
			f.Left, f.Right = f.Right, f.Left
		}
		d.while(random, &f)
		return f
	}
	f.Rank = from
	f.At = faults.DuringNthSend(1 + random.IntN(d.sends(from)))
	return f
}

// while draws when f begins and ends. What is of all links of a rank begins often with the run, ends often with it, and lasts: all the ways to tell
// something in time are closed only then.
func (d *drawer) while(random *rand.Rand, f *faults.Fault) {
	often := func() bool { return (f.Left == faults.Others || f.Right == faults.Others) && random.IntN(3) == 0 }
	f.At = faults.OnTime(d.instant(random))
	if often() {
		f.At.Time = 0
	}
	f.Until = f.At.Time + 1 + clock.Time(random.Int64N(int64(d.quiescence)+1))
	if often() {
		f.Until = f.At.Time + d.quiescence + 1
	}
	if f.Kind.Delays() && often() {
		f.Delay = d.last + shortest
	}
}

// other draws one of the other ranks, or all of them: what a protocol knows of a rank is often told by several of its messages, and one of them
// in time would be enough.
func (d *drawer) other(random *rand.Rand, from int) faults.Group {
	if len(d.lives) > 2 && random.IntN(2) == 0 {
		return faults.Others
	}
	return faults.GroupOf((from + 1 + random.IntN(len(d.lives)-1)) % len(d.lives))
}

// delay draws how late a message is: short delays are as likely as long ones, up to some that are longer than all that ranks
// do meanwhile, and than what they wait for.
func (d *drawer) delay(random *rand.Rand) clock.Time {
	longest := bits.Len64(uint64(2*d.last + shortest))
	return 1 + clock.Time(random.Int64N(1<<random.IntN(longest)))
}

// shortest is how many ticks are worth trying, however short a run is.
const shortest = 40

// instant draws a time up to shortly after the end.
func (d *drawer) instant(random *rand.Rand) clock.Time {
	return clock.Time(random.Int64N(int64(d.quiescence) + 2))
}

// sends is how many messages of a rank are worth trying.
func (d *drawer) sends(rank int) int { return len(d.lives[rank].pieces) - 1 + beyond }

// maxUnrest is how many messages are late at a time.
const maxUnrest = 256

// unrest makes many messages late, as on a network that is busy: each of them with some probability, by up to some delay.
func (d *drawer) unrest(random *rand.Rand) faults.Schedule {
	most, often := d.delay(random), 1+random.IntN(4)
	var s faults.Schedule
	for rank := range d.lives {
		for n := range d.sends(rank) {
			if random.IntN(often+1) > 0 || len(s) == maxUnrest {
				continue
			}
			s = append(s, faults.Fault{
				Kind: faults.Late, Rank: rank, At: faults.DuringNthSend(n + 1), Delay: 1 + clock.Time(random.Int64N(int64(most))),
			})
		}
	}
	return s
}

// mend brings back links that an earlier fault of the schedule has cut, some time after it. It is not ok if there is no such fault.
func (d *drawer) mend(random *rand.Rand, s faults.Schedule) (f faults.Fault, ok bool) {
	var cuts []faults.Fault
	for _, f := range s {
		if f.Kind == faults.Cut {
			cuts = append(cuts, f)
		}
	}
	if len(cuts) == 0 {
		return f, false
	}
	f = pick(random, cuts)
	f.Kind = faults.Mend
	f.At.Time += 1 + clock.Time(random.Int64N(int64(d.quiescence)+1))
	return f, true
}
