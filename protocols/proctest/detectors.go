package proctest

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

var detectorCases = []Case{
	{Name: "what a rank has been told of failures stays, and in the end it knows all, in whatever order", Detector: true, on: logP(doomedRanks), check: listsGrow},
	{Name: "a rank is suspected if and only if it is on the list", Detector: true, on: logP(doomedRanks), check: suspectsAreListed},
	{Name: "failures before the run are known to all from the start, in order of rank", Detector: true, on: logP(doomedRanks), check: knownFromTheStart},
	{Name: "WatchNext tells of the failures of a rank's own list when it knows of them, each call once", Detector: true, on: logP(doomedRanks), check: nextOnes},
	{Name: "Watch tells of a failure before and after it, each call once", Detector: true, on: logP(doomedRanks), check: watched},
}

const (
	doomedRanks = 7
	lastDeath   = 3 // is when the last of them fails, in deliveries
)

var notices = mailbox.OfKind(protocols.Failed)

// doomed are ranks that fail, the first two before the run. Those who live to see it may learn of the others in any order.
func (c *checker) doomed() (ranks []int, schedule faults.Schedule) {
	ranks = []int{2, 6, 1, 4, 5}
	for i, rank := range ranks {
		at := clock.Time(max(0, i-1)) * c.Delivery()
		schedule = append(schedule, faults.Fault{Rank: rank, At: faults.OnTime(at)})
	}
	return ranks, schedule
}

// patience is until when a failure at an instant, or one that somebody asks for then, is known.
func (c *checker) patience(from clock.Time) clock.Time {
	return c.settled(from + detectedWithin*c.Delivery())
}

// detectedWithin is how long failures may take to be known, in deliveries.
const detectedWithin = 100

// asked is what a rank has seen of its failure detector.
type asked struct {
	Lists [][]int // whenever there was something new
	Told  []int   // by notices
	Wrong []string
}

// ask runs a program on the ranks that do not fail, and returns what they have seen.
func (c *checker) ask(main func(p protocols.Proc, d protocols.Detector, saw *asked)) []asked {
	ranks, schedule := c.doomed()
	seen := run(c, setup{seed: 1, faults: schedule}, func(p protocols.Proc, note func(func(own *asked))) {
		if slices.Contains(ranks, p.Rank()) {
			p.WaitUntil(clock.Never)
		}
		var saw asked
		d, err := protocols.DetectorOf(p)
		if err == nil {
			main(p, d, &saw)
		} else {
			saw.Wrong = append(saw.Wrong, err.Error())
		}
		note(func(own *asked) { *own = saw })
	})
	c.judge(seen.aftermath, c.survivors()...)
	for rank, saw := range seen.by {
		for _, wrong := range saw.Wrong {
			c.errorf("rank %d: %s", rank, wrong)
		}
	}
	return seen.by
}

// survivors are the ranks that do not fail.
func (c *checker) survivors() (all []int) {
	ranks, _ := c.doomed()
	for rank := range c.Ranks {
		if !slices.Contains(ranks, rank) {
			all = append(all, rank)
		}
	}
	return all
}

// listed is all that a rank knows.
func listed(d protocols.Detector) (all []int) {
	for rank, ok := d.Known(0); ok; rank, ok = d.Known(len(all)) {
		all = append(all, rank)
	}
	return all
}

// counted checks that failures are counted as they are listed.
func (c *checker) counted(d protocols.Detector, list []int, saw *asked) {
	for rank := range c.Ranks {
		count := 0
		for among := range len(list) + 1 {
			if got := d.Failures(rank, among); got != count && len(saw.Wrong) == 0 {
				saw.Wrong = append(saw.Wrong, fmt.Sprintf("Failures(%d, %d) = %d, and the list has %v", rank, among, got, list[:among]))
			}
			if among < len(list) && list[among] == rank {
				count++
			}
		}
	}
}

// watching looks at every tick until all failures are known, or should be.
func (c *checker) watching(p protocols.Proc, d protocols.Detector, saw *asked, look func(list []int)) {
	ranks, _ := c.doomed()
	for until := c.patience(lastDeath * c.Delivery()); ; p.WaitUntil(p.Now() + 1) {
		list := listed(d)
		c.counted(d, list, saw)
		if n := len(saw.Lists); n == 0 || !slices.Equal(list, saw.Lists[n-1]) {
			saw.Lists = append(saw.Lists, list)
		}
		if look != nil {
			look(list)
		}
		if len(list) >= len(ranks) || p.Now() >= until {
			return
		}
	}
}

// complete checks that ranks know of all failures, in an order of their own.
func (c *checker) complete(what string, rank int, got []int) {
	ranks, _ := c.doomed()
	slices.Sort(ranks)
	for _, failed := range got {
		if !slices.Contains(ranks, failed) {
			c.errorf("%s of rank %d has rank %d, which does not fail: %v", what, rank, failed, got)
			return
		}
	}
	switch sorted := slices.Compact(slices.Sorted(slices.Values(got))); {
	case len(sorted) < len(got):
		c.errorf("%s of rank %d has a rank twice: %v", what, rank, got)
	case !slices.Equal(sorted, ranks):
		c.tooLate("%s of rank %d is %v, want %v in some order", what, rank, got, ranks)
	}
}

func listsGrow(c *checker) {
	all := c.ask(func(p protocols.Proc, d protocols.Detector, saw *asked) { c.watching(p, d, saw, nil) })
	for _, rank := range c.survivors() {
		lists := all[rank].Lists
		if len(lists) == 0 {
			return // that was found already
		}
		for i := 1; i < len(lists); i++ {
			if before := lists[i-1]; !slices.Equal(before, lists[i][:min(len(before), len(lists[i]))]) {
				c.errorf("rank %d was told of failures %v, and then of %v", rank, before, lists[i])
			}
		}
		c.complete("the list", rank, lists[len(lists)-1])
	}
}

// What is known may grow between two looks, so the second one has to agree with the first and not the other way round.
func suspectsAreListed(c *checker) {
	c.ask(func(p protocols.Proc, d protocols.Detector, saw *asked) {
		suspects := func() (all []int) {
			for rank := range c.Ranks {
				if d.Suspects(rank) {
					all = append(all, rank)
				}
			}
			return all
		}
		within := func(inner, outer []int, wrong string) {
			if len(saw.Wrong) == 0 && slices.ContainsFunc(inner, func(rank int) bool { return !slices.Contains(outer, rank) }) {
				saw.Wrong = append(saw.Wrong, wrong)
			}
		}
		c.watching(p, d, saw, func(list []int) {
			after := suspects()
			within(list, after, "a rank is on the list and not suspected")
			within(after, listed(d), "a rank is suspected and not on the list")
		})
		if len(saw.Lists[len(saw.Lists)-1]) == 0 {
			saw.Wrong = append(saw.Wrong, "nobody is ever suspected")
		}
	})
}

func knownFromTheStart(c *checker) {
	all := c.ask(func(p protocols.Proc, d protocols.Detector, saw *asked) { saw.Lists = [][]int{listed(d)} })
	for _, rank := range c.survivors() {
		if lists := all[rank].Lists; len(lists) == 1 {
			list := lists[0]
			same(c, "failures known at the start", list[:min(2, len(list))], []int{2, 6})
		}
	}
}

func nextOnes(c *checker) {
	ranks, _ := c.doomed()
	all := c.ask(func(p protocols.Proc, d protocols.Detector, saw *asked) {
		for n := range ranks {
			d.WatchNext(n)
			from, _, ok := p.RecvUntil(notices, c.patience(max(p.Now(), lastDeath*c.Delivery())))
			if !ok {
				return
			}
			saw.Told = append(saw.Told, from)
			if rank, known := d.Known(n); !known || rank != from {
				saw.Wrong = append(saw.Wrong, "a notice of another failure than the one it was to be of, or of one that is not known")
			}
		}
		d.WatchNext(len(ranks)) // never
		if _, _, ok := p.RecvUntil(notices, p.Now()+10*c.Delivery()); ok {
			saw.Wrong = append(saw.Wrong, "a notice too many")
		}
	})
	for _, rank := range c.survivors() {
		c.complete("what notices told", rank, all[rank].Told)
	}
}

// Rank 2 has failed before, rank 5 fails later and rank 3 does not. At last all know of rank 5.
func watched(c *checker) {
	all := c.ask(func(p protocols.Proc, d protocols.Detector, saw *asked) {
		for _, rank := range []int{5, 3, 2} {
			d.Watch(rank)
		}
		take := func(until clock.Time) bool {
			from, _, ok := p.RecvUntil(notices, until)
			if ok {
				saw.Told = append(saw.Told, from)
			}
			return ok
		}
		for until := c.patience(lastDeath * c.Delivery()); len(saw.Told) < 2; {
			if !take(until) {
				return
			}
		}
		slices.Sort(saw.Told)
		d.Watch(5)
		take(c.patience(p.Now()))
		if take(p.Now() + 10*c.Delivery()) {
			saw.Wrong = append(saw.Wrong, "a notice too many")
		}
	})
	for _, rank := range c.survivors() {
		same(c, "what notices told", all[rank].Told, []int{2, 5, 5})
	}
}
