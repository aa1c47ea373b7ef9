package launch_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// mortal is a line that is run with processes that are killed or stopped.
type mortal struct {
	line    string
	faults  int  // at most
	spare   bool // the root
	rejoins bool
}

// Messages take up to 2o+L = 30 ms here before a deadline is missed, except in membership, whose patience
// is longer by itself.
var mortals = []mortal{
	{line: "broadcast correction=checked tick=5ms L=4", faults: 2, spare: true},
	{line: "broadcast correction=failure-proof f=2 tick=5ms L=4", faults: 2, spare: true},
	{line: "gossip variant=fcg f=1 tick=5ms L=4", faults: 1, spare: true},
	{line: "membership tick=1ms every=30", faults: 3, rejoins: true},
	{line: "reduce f=2 tick=5ms L=4", faults: 2, spare: true},
	{line: "allreduce f=2 tick=5ms L=4", faults: 2, spare: true},
	{line: "collective op=reduce detector=heartbeat tick=2ms", faults: 2},
	{line: "collective op=allreduce detector=heartbeat tick=2ms", faults: 2},
}

// Processes are killed and stopped at points drawn at random, and what is promised holds.
func TestGuaranteesHoldUnderRandomKills(t *testing.T) {
	t.Parallel()
	seed, runs := cmp.Or(*soakSeed, uint64(time.Now().UnixNano())), *soak
	if testing.Short() {
		runs = min(runs, 4)
	}
	t.Logf("-soakseed %d", seed)
	var all soakTally
	t.Cleanup(func() { t.Log(&all) }) // when all have ended
	for i := range uint64(runs) {
		draw := rand.New(rand.NewPCG(seed+i, 0))
		line, o := mortals[(seed+i)%uint64(len(mortals))].draw(draw)
		t.Run(fmt.Sprintf("-soakseed %d", seed+i), func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			outcome := launched(t, line, o, func(o *scenarios.Outcome) error {
				err := errors.Join(held(o), settled(o))
				all.add(o, err)
				return err
			})
			t.Logf("%s: %d failed, %d rejoined, %d never fired, late %d, %s", line, len(outcome.Report.Failed), len(outcome.Report.Rejoined),
				len(outcome.Report.Unfired), outcome.Late, time.Since(began).Round(time.Millisecond))
		})
	}
}

// soakTally counts runs by what they have come to. Those that were too late are run again, with longer ticks.
type soakTally struct {
	mu                           sync.Mutex
	held, tooLate, other, broken int
}

func (s *soakTally) add(o *scenarios.Outcome, wrong error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case wrong == nil:
		s.held++
	case o.Verdict() == guarantee.TooLate:
		s.tooLate++
	case o.Late > 0:
		s.other++
	default:
		s.broken++
	}
}

func (s *soakTally) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("%d runs: %d held, %d too late to judge, %d in which a process was so late that it was taken for hung or a fault came too late, %d broken",
		s.held+s.tooLate+s.other+s.broken, s.held, s.tooLate, s.other, s.broken)
}

// draw makes a line with random faults, and says how to run it.
func (m mortal) draw(draw *rand.Rand) (line string, o launch.Options) {
	ranks := 8 + draw.IntN(5)
	victims := draw.Perm(ranks)
	if m.spare {
		victims = slices.DeleteFunc(victims, func(rank int) bool { return rank == 0 })
	}
	var schedule faults.Schedule
	for _, rank := range victims[:1+draw.IntN(m.faults)] {
		f := faults.Fault{Kind: faults.Crash, Rank: rank, At: drawPoint(draw)}
		if draw.IntN(2) == 0 {
			f.Kind = faults.Hang
		}
		schedule = append(schedule, f)
	}
	line = fmt.Sprintf("%s P=%d seed=%d", m.line, ranks, draw.Uint32())
	if m.rejoins {
		if draw.IntN(2) == 0 {
			schedule = append(schedule, faults.Fault{Kind: faults.Rejoin, Rank: schedule[0].Rank, At: faults.OnTime(clock.Time(60 + draw.IntN(100)))})
		}
		line += fmt.Sprintf(" until=%d", 400+600*len(schedule)) // all have the same view some time before
	}
	return fmt.Sprintf("%s faults=%s", line, schedule), launch.Options{Pace: tcp.Sends, Eager: draw.IntN(2) == 0, Encrypt: draw.IntN(4) == 0, Record: draw.IntN(2) == 0}
}

// drawPoint draws when a process fails.
func drawPoint(draw *rand.Rand) faults.Point {
	n := 1 + draw.IntN(4)
	switch draw.IntN(5) {
	case 0:
		return faults.BeforeNthSend(n)
	case 1:
		return faults.DuringNthSend(n)
	case 2:
		return faults.AfterNthSend(n)
	case 3:
		return faults.OnNthRecv(n)
	}
	return faults.OnTime(clock.Time(draw.IntN(50)))
}

// settled says which faults have neither happened nor are listed as not having happened, and what has
// happened without being one of them.
func settled(o *scenarios.Outcome) (err error) {
	wrong := func(format string, args ...any) { err = errors.Join(err, fmt.Errorf(format, args...)) }
	rep := o.Report
	failed := make(map[int]bool)
	for _, f := range rep.Failed {
		failed[f.Rank] = true
	}
	for _, r := range rep.Rejoined {
		failed[r.Rank] = true
	}
	for _, f := range rep.Faults {
		back := slices.ContainsFunc(rep.Rejoined, func(r report.Rejoin) bool { return r.Rank == f.Rank })
		fired := f.Kind == faults.Rejoin && back || f.Kind.Stops() && failed[f.Rank]
		if fired == slices.Contains(rep.Unfired, f) {
			wrong("fault %s: happened %t, listed as not having happened %t", f, fired, !fired)
		}
		if f.Kind == faults.Rejoin && back && rep.Ranks[f.Rank].Outcome.Failed() {
			wrong("rank %d has come back and failed again", f.Rank)
		}
		if want := map[faults.Kind]report.Outcome{faults.Crash: report.Crashed, faults.Hang: report.Hung}[f.Kind]; f.Kind.Stops() && fired && !back && rep.Ranks[f.Rank].Outcome != want {
			wrong("fault %s: rank %d has %s", f, f.Rank, rep.Ranks[f.Rank].Outcome)
		}
	}
	for rank := range failed {
		if !slices.ContainsFunc(rep.Faults, func(f faults.Fault) bool { return f.Rank == rank }) {
			wrong("rank %d has failed for no reason", rank)
		}
	}
	if len(o.Notes) > 0 {
		wrong("notes %q", o.Notes)
	}
	if o.Verdict() == guarantee.NotClaimed {
		wrong("nothing is promised: %v", o.Guarantees)
	}
	return err
}
