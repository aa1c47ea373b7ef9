package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// OrdersOptions say how to go through orders.
type OrdersOptions struct {
	Workers int          // 0: one for each processor
	Resume  *Exploration // of the same subject; optional
	// Progress is called from time to time. Optional.
	Progress func(Progress)
}

// Orders runs a program that does not look at its clock in every order in which its messages can be delivered, whatever each of them takes.
// Where links are in order, so are the messages of each. A program that decides anything by time is refused: for it there are as many runs as
// delays.
//
// It begins with the plain run. In each run it looks for two messages that one rank takes, of which the second was not sent because of the first,
// and makes another run in which that one comes first; until no run is left that would be new. If the context ends, the exploration so far is returned with its
// error, and can be resumed.
func Orders(ctx context.Context, s *Subject, options OrdersOptions) (*Exploration, error) {
	x := &orders{subject: s, options: options, result: options.Resume, meter: newMeter(options.Progress)}
	if x.result == nil {
		x.result = newExploration(1)
		x.result.Pending = []faults.Schedule{nil}
	}
	x.result.restore()
	x.result.Done = []bool{false}
	x.meter.resume(x.result)
	x.meter.done = func(Progress) float64 { return x.share }
	var err error
	for len(x.result.Pending) > 0 && err == nil {
		err = x.level(ctx)
	}
	x.result.Done[0] = err == nil
	x.result.finish()
	x.share = 1
	x.meter.flush()
	return x.result, err
}

// ClockError says that a program decides something by time, so that it has more runs than orders.
type ClockError struct {
	Rank int
	Time clock.Time
}

func (e *ClockError) Error() string {
	return fmt.Sprintf("search: rank %d decides by time at t=%d; want a program that does not look at its clock, or an exploration of delays", e.Rank, e.Time)
}

// orders are those of a program, on the way.
type orders struct {
	subject *Subject
	options OrdersOptions
	result  *Exploration
	meter   *meter
	share   float64 // of the runs known of that are made
}

// ordered is what a run has led to.
type ordered struct {
	made   bool
	broken []guarantee.Verdict
	all    []guarantee.Verdict
	hash   report.Hash
	what   report.Hash
	ended  bool
	turned []faults.Schedule
}

// level runs all schedules that are pending, and makes pending what follows from those that are new. What comes of it depends on the order
// in which they are listed only, not on who is faster.
func (x *orders) level(ctx context.Context) error {
	pending := x.result.Pending
	results := make([]ordered, len(pending))
	var next atomic.Int64
	err := together(ctx, crew{min(workersOr(x.options.Workers), len(pending)), func(ctx context.Context) error {
		r, err := newDecider(x.subject)
		if err != nil {
			return err
		}
		for i := next.Add(1) - 1; i < int64(len(pending)); i = next.Add(1) - 1 {
			if err := x.run(ctx, r, pending[i], &results[i]); err != nil {
				return err
			}
		}
		return nil
	}})
	x.result.Pending = nil
	known := make(map[string]bool)
	for i := range results {
		if results[i].made {
			x.note(pending[i], &results[i], known)
		} else {
			x.result.Pending = append(x.result.Pending, pending[i])
		}
	}
	x.share = float64(x.result.Runs) / float64(x.result.Runs+int64(len(x.result.Pending)))
	return err
}

// run makes one run.
func (x *orders) run(ctx context.Context, r *runner, s faults.Schedule, result *ordered) error {
	var err error
	result.broken, result.ended, err = r.judge(ctx, r.deciding, s)
	if err != nil {
		return err
	}
	result.made, result.all = true, slices.Clone(r.all)
	x.meter.ran(1, 0, result.broken)
	if !result.ended {
		return nil
	}
	rep := &r.report
	for i := range rep.Events {
		switch e := &rep.Events[i]; e.Kind {
		case report.EventClock, report.EventPass, report.EventWait, report.EventLook:
			return &ClockError{e.Rank, e.Time}
		}
	}
	unordered := x.subject.Machine.Unordered
	result.hash, result.what = rep.Hash, report.Hash(placesOf(rep, unordered).what)
	result.turned = turned(rep, s, unordered)
	return nil
}

// note adds a run to the result, and what follows from it if it is a new case.
func (x *orders) note(s faults.Schedule, result *ordered, known map[string]bool) {
	x.result.add(s, x.subject.Seed, result.broken, 1)
	x.result.Tally.Add(result.all)
	if !result.ended {
		return
	}
	x.result.saw(result.hash)
	if _, old := x.result.cases[result.what]; old {
		return
	}
	x.result.cases[result.what] = struct{}{}
	for _, s := range result.turned {
		if text := s.String(); !known[text] {
			known[text] = true
			x.result.Pending = append(x.result.Pending, s)
		}
	}
}

// delivery is a message that a rank has received.
type delivery struct {
	from    int
	nth     int // send of its sender
	arrival clock.Time
	// past is how much the sender knew of each rank when it sent it, as numbers of takes; taken is the number of its own take, 0 if there is none.
	past  []int
	taken int
	seen  *report.Event
}

// turned lists schedules in which a rank receives two messages the other way round than in a run.
func turned(rep *report.Report, s faults.Schedule, unordered bool) []faults.Schedule {
	var all []faults.Schedule
	for rank, list := range deliveries(rep, unordered) {
		for i, first := range list {
			if first.taken == 0 {
				continue
			}
			for k := i + 1; k < len(list); k++ {
				second := &list[k]
				if second.past[rank] >= first.taken || !unordered && second.from == first.from {
					continue // it is there because of the first, or behind it
				}
				if turn := after(s, list[i:k], second, rank, unordered); turn != nil {
					all = append(all, turn)
				}
			}
		}
	}
	return all
}

// after delays messages so that they arrive after another one, all but those without which it would not have been sent, and those of its own link.
func after(s faults.Schedule, list []delivery, last *delivery, rank int, unordered bool) faults.Schedule {
	late := make(map[[2]int]clock.Time)
	for _, f := range s {
		late[[2]int{f.Rank, f.At.N}] = f.Delay
	}
	at := last.arrival
	for i := range list {
		d := &list[i]
		if d.taken > 0 && d.taken <= last.past[rank] || !unordered && d.from == last.from {
			continue
		}
		at++
		late[[2]int{d.from, d.nth}] += at - d.arrival
	}
	var turn faults.Schedule
	for id, delay := range late {
		turn = append(turn, faults.Fault{Kind: faults.Late, Rank: id[0], At: faults.DuringNthSend(id[1]), Delay: delay})
	}
	slices.SortFunc(turn, func(a, b faults.Fault) int { return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.At.N, b.At.N)) })
	return turn
}

// deliveries lists what each rank has received, in that order.
func deliveries(rep *report.Report, unordered bool) [][]delivery {
	size := len(rep.Ranks)
	all := make([][]delivery, size)
	ways := make([]diarist, size) // only for who is under way where
	takes := make([]int, size)
	knows := make([][]int, size) // how many takes of others each rank knows of
	pasts := make([]map[uint64][]int, size)
	for i := range knows {
		knows[i], pasts[i] = make([]int, size), make(map[uint64][]int)
	}
	for i := range rep.Events {
		e := &rep.Events[i]
		switch e.Kind {
		case report.EventSend:
			ways[e.Rank].sent++
			ways[e.Rank].copies = 0
		case report.EventLeave:
			id, again := ways[e.Rank].leave()
			ways[e.Peer].expect(e.Rank, clock.Time(e.A), id, again, unordered)
			knows[e.Rank][e.Rank] = takes[e.Rank]
			pasts[e.Rank][id] = slices.Clone(knows[e.Rank])
		case report.EventLost:
			ways[e.Rank].land(e.Peer)
		case report.EventReceive:
			at := ways[e.Rank].ways[e.Peer].flights[0].arrival
			id := ways[e.Rank].land(e.Peer)
			all[e.Rank] = append(all[e.Rank], delivery{from: e.Peer, nth: int(id >> 8), arrival: at, past: pasts[e.Peer][id], seen: e})
		case report.EventTake:
			takes[e.Rank]++
			list := all[e.Rank]
			for k := range list {
				if d := &list[k]; d.taken == 0 && d.from == e.Peer && d.seen.Msg == e.Msg && d.seen.Epoch == e.Epoch && d.seen.A == e.A {
					d.taken = takes[e.Rank]
					for other, n := range d.past {
						knows[e.Rank][other] = max(knows[e.Rank][other], n)
					}
					break
				}
			}
		}
	}
	return all
}
