package proctest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
)

var messageCases = []Case{
	inTurns("a message that is late arrives so much later, and all others in time", "late:0@send2+1,late:4@send6+3,late:5@send15+4"),
	inTurns("messages behind a late one on its link arrive no earlier than it, and others overtake it", "late:1@send1+5,late:5@send3+3,late:5@send8+4"),
	inTurns("a message that is lost never arrives, and all others do", "lose:0@send2,lose:4@send7,lose:5@send15"),
	inTurns("a message that comes twice arrives again so much later, and holds nobody back", "twice:0@send2+3,twice:3@send1+5,twice:5@send15+1"),
	inTurns("what happens on links happens to what leaves in its time", "late:0>1-3@t1..t3+3,lose:4|5@t3..t5,twice:*>5@t1+3,late:2|*@t4+1"),
	inTurns("what happens to one message adds up, and one that is lost holds nobody back",
		"late:0@send2+1,late:0@send2+2,late:0>2@t0..t1+1,twice:0@send2+1,twice:0@send2+3,lose:1@send1,late:1@send1+4,twice:1@send1+2,cut:3|4@t0,late:3>4@t0..t1+9,mend:3|4@t1"),
	{Name: "random traffic with messages that are late, lost or there twice is received as a model says", Exact: true,
		on: slices.Concat(logP(12), gapped(12), logGP(12)), check: stormUnderSchedule},
}

// inTurns is a case in which ranks send to all others in turns, under a schedule whose times are units.
func inTurns(name, schedule string) Case {
	return Case{Name: name, on: simple(6), check: func(c *checker) { c.turns(faults.MustParse(schedule)) }}
}

// turns is how often all ranks send to all others, every second unit.
const turns = 3

// turn is a message of a rank in one of its turns, as its receiver sees it.
type turn struct {
	number int64
	copy   int
	unit   clock.Time // in which it arrives
}

// turns compares the unit in which each message of each rank arrives at each other one with what the schedule means. Units are long enough
// for a machine to be in time for them.
func (c *checker) turns(schedule faults.Schedule) {
	unit := 100 + c.machine.Late/2
	want, last := inUnits(c.Ranks, schedule)
	type result struct {
		Sent []clock.Time // when it was done with each turn
		Got  []receipt
	}
	results := gatherWith(c, setup{faults: scaled(schedule, unit)}, func(p protocols.Proc) (r result) {
		for n := range turns {
			r.Got = append(r.Got, receiveUntil(p, clock.Time(2*n)*unit)...)
			for to := range p.Size() {
				if to != p.Rank() {
					p.Send(to, number(n))
				}
			}
			r.Sent = append(r.Sent, p.Now())
		}
		r.Got = append(r.Got, receiveUntil(p, (last+1)*unit)...)
		return r
	})
	for rank, r := range results {
		for n, at := range r.Sent {
			if most := clock.Time(2*n)*unit + unit/2; at > most {
				c.tooLate("rank %d has sent at t=%d, want t=%d or before", rank, at, most)
			}
		}
	}
	if c.late > 0 {
		return // what arrives when is another question then
	}
	for to, r := range results {
		for from := range c.Ranks {
			c.compareTurns(fmt.Sprintf("from rank %d to rank %d", from, to), seen(r.Got, from, unit), want[[2]int{from, to}])
		}
	}
}

// inUnits works out in which unit each message of a link arrives, and which is the last unit of all.
func inUnits(ranks int, schedule faults.Schedule) (all map[[2]int][]turn, last clock.Time) {
	all = make(map[[2]int][]turn)
	way := newNetwork(schedule)
	for n := range turns {
		for from := range ranks {
			for to := range ranks {
				if from == to {
					continue
				}
				link := [2]int{from, to}
				for copy, a := range way.carry(from, to, clock.Time(2*n), 0) {
					all[link] = append(all[link], turn{int64(n), copy, a.at})
					last = max(last, a.at)
				}
			}
		}
	}
	return all, last
}

// seen is what a rank has received of another one. Clocks of two ranks may differ by a little.
func seen(got []receipt, from int, unit clock.Time) (all []turn) {
	copies := make(map[int64]int)
	for _, r := range got {
		if r.From == from {
			all = append(all, turn{r.Msg.A, copies[r.Msg.A], (r.At + unit/4) / unit})
			copies[r.Msg.A]++
		}
	}
	return all
}

// compareTurns compares what comes over one link.
func (c *checker) compareTurns(link string, got, want []turn) {
	same := func(a turn) func(turn) bool {
		return func(b turn) bool { return a.number == b.number && a.copy == b.copy }
	}
	for _, w := range want {
		i := slices.IndexFunc(got, same(w))
		switch {
		case i < 0:
			c.tooLate("%s: message %d (copy %d) has not come", link, w.number, w.copy)
		case got[i].unit < w.unit:
			c.errorf("%s: message %d (copy %d) in unit %d, want %d", link, w.number, w.copy, got[i].unit, w.unit)
		case got[i].unit > w.unit:
			c.tooLate("%s: message %d (copy %d) in unit %d, want %d", link, w.number, w.copy, got[i].unit, w.unit)
		}
	}
	var firsts []turn
	for _, g := range got {
		if !slices.ContainsFunc(want, same(g)) {
			c.errorf("%s: message %d (copy %d) has come, which was not to", link, g.number, g.copy)
		}
		if g.copy == 0 {
			firsts = append(firsts, g)
		}
	}
	if !slices.IsSortedFunc(firsts, func(a, b turn) int { return cmp.Compare(a.number, b.number) }) {
		c.errorf("%s: messages arrive in another order than they were sent: %v", link, firsts)
	}
}

// stormUnderSchedule is random traffic to which all kinds of things happen.
func stormUnderSchedule(c *checker) {
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 1))
		errands := storm(c, random)
		c.follow(errands, unrest(c, random))
	}
}

// unrest is a random schedule of messages and links.
func unrest(c *checker, random *rand.Rand) (all faults.Schedule) {
	long := func() clock.Time { return 1 + clock.Time(random.IntN(4*int(c.Delivery()))) }
	when := func() clock.Time { return clock.Time(random.IntN(15 * int(c.Delivery()))) }
	taken := make(map[string]bool)
	add := func(f faults.Fault) {
		if text := f.String(); !taken[text] {
			taken[text] = true
			all = append(all, f)
		}
	}
	side := func() (from, to faults.Group) {
		ranks := random.Perm(c.Ranks)
		return faults.GroupOf(ranks[:c.Ranks/3]...), faults.GroupOf(ranks[c.Ranks/3 : c.Ranks*2/3]...)
	}
	for rank := range c.Ranks {
		at := func() faults.Point { return faults.DuringNthSend(1 + random.IntN(20)) }
		add(faults.Fault{Kind: faults.Late, Rank: rank, Delay: long(), At: at()})
		add(faults.Fault{Kind: faults.Late, Rank: rank, Delay: long(), At: at()})
		add(faults.Fault{Kind: faults.Twice, Rank: rank, Delay: long(), At: at()})
		add(faults.Fault{Kind: faults.Lose, Rank: rank, At: at()})
	}
	for _, kind := range []faults.Kind{faults.Late, faults.Late, faults.Late, faults.Lose, faults.Twice} {
		f := faults.Fault{Kind: kind, OneWay: true, At: faults.OnTime(when())}
		f.Left, f.Right = side()
		f.Until = f.At.Time + long()
		if kind != faults.Lose {
			f.Delay = long()
		}
		add(f)
	}
	for range 2 {
		from, to := side()
		cut := faults.CutOneWay(from, to, when())
		mend := cut
		mend.Kind, mend.At = faults.Mend, faults.OnTime(cut.At.Time+long())
		add(cut)
		add(mend)
	}
	return all
}
