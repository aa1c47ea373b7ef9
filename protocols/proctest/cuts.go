package proctest

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
)

var cutCases = []Case{
	{Name: "nothing gets over a cut from its instant on, and all else does", on: simple(6), check: cutsPartRanks},
	{Name: "what has left before a cut arrives", Exact: true, on: logP(2), check: cutsLeaveFlightsAlone},
}

// cutsPartRanks has every rank send to all others before, between and after two cuts.
func cutsPartRanks(c *checker) {
	unit := 100 + c.machine.Late/2
	type result struct {
		sent []clock.Time // when it was done with each round
		got  []string
	}
	cuts := faults.Schedule{
		faults.CutBetween(faults.GroupOf(0, 1), faults.GroupOf(2, 4), unit),
		faults.CutBetween(faults.GroupOf(3), faults.Others, 3*unit),
	}
	results := gatherWith(c, setup{faults: cuts}, func(p protocols.Proc) (r result) {
		for round := range 3 {
			p.WaitUntil(clock.Time(2*round) * unit)
			for to := range p.Size() {
				if to != p.Rank() {
					p.Send(to, number(round))
				}
			}
			r.sent = append(r.sent, p.Now())
		}
		for _, m := range receiveUntil(p, 6*unit) {
			r.got = append(r.got, fmt.Sprintf("%d from %d", m.msg.A, m.from))
		}
		return r
	})
	for rank, r := range results {
		for round, at := range r.sent {
			if next := clock.Time(2*round+1) * unit; at >= next {
				c.tooLate("rank %d has sent at t=%d, want before t=%d", rank, at, next)
			}
		}
	}
	if c.late > 0 {
		return // what passes is another question then
	}
	for rank, r := range results {
		want := passing(rank)
		for _, m := range want {
			if !slices.Contains(r.got, m) {
				c.tooLate("rank %d has not received %s", rank, m)
			}
		}
		for _, m := range r.got {
			if !slices.Contains(want, m) {
				c.errorf("rank %d has received %s, over a cut", rank, m)
			}
		}
	}
}

// passing lists what a rank receives of others: the first cut is between 0, 1 and 2, 4, the second one between
// 3 and all others.
func passing(rank int) (all []string) {
	side := []int{1, 1, 2, 0, 2, 0}
	for round := range 3 {
		for from := range side {
			first := round >= 1 && side[from] != 0 && side[rank] != 0 && side[from] != side[rank]
			second := round >= 2 && (from == 3 || rank == 3)
			if from != rank && !first && !second {
				all = append(all, fmt.Sprintf("%d from %d", round, from))
			}
		}
	}
	return all
}

// cutsLeaveFlightsAlone has messages leave just before, at and after the instant of a cut.
func cutsLeaveFlightsAlone(c *checker) {
	const n = 5
	for cut := range n * c.Overhead {
		schedule := faults.Schedule{faults.CutBetween(faults.GroupOf(0), faults.GroupOf(1), cut)}
		got := gatherWith(c, setup{faults: schedule}, func(p protocols.Proc) []receipt {
			if p.Rank() == 0 {
				for i := range n {
					p.Send(1, number(i))
				}
				return nil
			}
			return receiveUntil(p, n*c.Delivery())
		})
		left := 0 // how many have, before the cut
		for clock.Time(left+1)*c.Overhead < cut {
			left++
		}
		same(c, fmt.Sprintf("messages that leave before a cut at t=%d", cut), values(got[1]), count[int64](left))
	}
}
