package correction_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/report"
)

// phase is a correction phase by itself, as Corrected Gossip has it: some ranks have the
// message and correct, the others wait to be reached.
type phase struct {
	logp  clock.LogP
	ring  correction.Ring
	has   []int        // who has the message, at least one
	start []clock.Time // when each of these begins; nil: all at once
	join  bool         // those who are reached correct as well
}

// anyPhase draws one on up to most ranks.
func anyPhase(t *rapid.T, most int) phase {
	logp := draw.Machine(t, 1, most)
	return phase{
		logp: logp,
		ring: correction.Ring{Size: logp.Ranks},
		has:  draw.Exactly(t, "ranks with the message", logp.Ranks, draw.Number(t, "how many", 1, logp.Ranks)),
	}
}

// staggered lets every rank begin at an instant of its own, as overlapped correction does.
func (ph phase) staggered(t *rapid.T) phase {
	ph.join = rapid.Bool().Draw(t, "others join")
	for range ph.has {
		ph.start = append(ph.start, draw.Ticks(t, "start", 0, 60))
	}
	return ph
}

// run runs the phase. Whoever has the message counts as coloured.
func (ph phase) run(t *rapid.T, c correction.Correction, schedule faults.Schedule) *report.Report {
	t.Helper()
	runner, err := c.On(ph.ring)
	require.NoError(t, err)
	begin := make(map[int]clock.Time)
	for i, rank := range ph.has {
		begin[rank] = 0
		if ph.start != nil {
			begin[rank] = ph.start[i]
		}
	}
	machine, err := emu.New(emu.Config{LogP: ph.logp, Trace: emu.TraceEvents, Workers: 1})
	require.NoError(t, err)
	rep, err := machine.Run(context.Background(), protocols.Program{
		Initiators: ph.has,
		Main: func(p protocols.Proc) {
			if at, has := begin[p.Rank()]; has {
				p.WaitUntil(at)
				runner.Run(p, p.Rank(), mailbox.Message{Payload: "news"})
				return
			}
			from, msg := p.Recv(mailbox.OfKinds(correction.FirstKind, correction.LastKind))
			if ph.join {
				runner.Run(p, from, msg)
			} else if wrapped, ok := runner.(correction.Wrapped); ok {
				wrapped.Reached(p, from, msg)
			}
		},
	}, emu.Options{Faults: schedule})
	require.NoError(t, err)
	return rep
}

func (ph phase) String() string {
	return fmt.Sprintf("%+v, %+v, who has the message: %v from %v, others join: %t", ph.logp, ph.ring, ph.has, ph.start, ph.join)
}

// Corrected Gossip, claim 3: checked correction reaches everybody, whoever has the message and
// whenever each of them begins. So does delayed correction (Corrected Trees, 3.3), and
// failure-proof correction, whose timeout need not be long enough.
func TestEveryGapIsClosed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ph := anyPhase(t, 40).staggered(t)
		var c correction.Correction = correction.Checked{}
		switch rapid.SampledFrom([]string{"checked", "delayed", "failure-proof"}).Draw(t, "correction") {
		case "delayed":
			delay, patience := rapid.IntRange(0, 20).Draw(t, "delay"), rapid.IntRange(0, 60).Draw(t, "patience")
			c = &correction.Delayed{Delay: clock.Time(delay), Patience: clock.Time(patience)}
		case "failure-proof":
			f, timeout := rapid.IntRange(0, 4).Draw(t, "f"), rapid.IntRange(1, 60).Draw(t, "timeout")
			c = &correction.FailureProof{Failures: f, Timeout: clock.Time(timeout)}
		}
		if _, proof := c.(*correction.FailureProof); !proof {
			// The root, with whom a chain begins, has the message: delayed correction needs it.
			ph.ring.Root, ph.ring.Chain = ph.has[0], rapid.Bool().Draw(t, "chain")
		}
		rep := ph.run(t, c, nil)
		require.Empty(t, rep.Unreached, "%v %v", c, ph)
		require.Empty(t, rep.Deadlocks, "%v %v", c, ph)
	})
}

// Corrected Trees, 3.1: a rank of checked correction sends to one neighbour after the other
// on each side, "until it finally sent to" the nearest it has heard from there, and not
// beyond; unless its two sides have met.
func TestCheckedRanksStopOnceTheyHaveSentToWhomTheyHeardFrom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ph := anyPhase(t, 40).staggered(t)
		ph.ring.Root, ph.ring.Chain = ph.has[0], rapid.Bool().Draw(t, "chain")
		rep := ph.run(t, correction.Checked{}, nil)
		for rank := range ph.logp.Ranks {
			if ph.logp.Ranks > 1 && (ph.join || slices.Contains(ph.has, rank)) {
				ph.audit(t, rep, rank)
			}
		}
	})
}

// audit follows one rank of a checked correction through its events.
func (ph phase) audit(t *rapid.T, rep *report.Report, rank int) {
	size := ph.ring.Size
	place := (rank - ph.ring.Root + size) % size
	room := map[mailbox.Kind]int{correction.Leftward: size, correction.Rightward: size}
	if ph.ring.Chain {
		room = map[mailbox.Kind]int{correction.Leftward: place, correction.Rightward: size - 1 - place}
	}
	sent := make(map[mailbox.Kind]int)
	nearest := map[mailbox.Kind]int{correction.Leftward: 2 * size, correction.Rightward: 2 * size}
	closed := func(way mailbox.Kind) bool { return sent[way] >= min(nearest[way], room[way]) }
	met := func() bool { return sent[correction.Leftward]+sent[correction.Rightward] >= size }
	for _, e := range rep.Events {
		switch {
		case e.Rank != rank:
		case e.Kind == report.EventTake && e.Msg == correction.Leftward:
			nearest[correction.Rightward] = min(nearest[correction.Rightward], (e.Peer-rank+size)%size)
		case e.Kind == report.EventTake && e.Msg == correction.Rightward:
			nearest[correction.Leftward] = min(nearest[correction.Leftward], (rank-e.Peer+size)%size)
		case e.Kind == report.EventSend:
			require.False(t, closed(e.Msg) || met(), "%v: it need not, %v", e, ph)
			sent[e.Msg]++
			want := rank + sent[e.Msg]
			if e.Msg == correction.Leftward {
				want = rank - sent[e.Msg]
			}
			require.Equal(t, (want+size)%size, e.Peer, "%v: one after the other, %v", e, ph)
		}
	}
	require.True(t, met() || closed(correction.Leftward) && closed(correction.Rightward), "rank %d stops too early, %v", rank, ph)
}

// Corrected Gossip, claims 4 and 5: up to f ranks crash or hang at any point. All live ranks
// are reached and come to an end, unless nobody is left who had the message; then it may also
// be that none is reached. With f*f+f+1 that have it at first there is no SOS.
func TestFailureProofCorrectionKeepsClaims4And5(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.IntRange(0, 3).Draw(t, "f")
		ph := anyPhase(t, 30)
		proof, err := correction.NewFailureProof(ph.logp, f)
		require.NoError(t, err)
		among := ph.has // these matter
		if rapid.Bool().Draw(t, "others fail") {
			among = everybody(ph.logp.Ranks)
		}
		for range 8 {
			var failing []int
			for _, i := range draw.Some(t, "failing", len(among), f) {
				failing = append(failing, among[i])
			}
			schedule := draw.Points{Calls: 20, Until: 200}.Failures(t, failing)
			ph.keepsClaims(t, f, schedule, ph.run(t, proof, schedule))
		}
	})
}

func (ph phase) keepsClaims(t *rapid.T, f int, schedule faults.Schedule, rep *report.Report) {
	t.Helper()
	left := slices.ContainsFunc(ph.has, func(rank int) bool { return !rep.Ranks[rank].Outcome.Failed() })
	if live := ph.logp.Ranks - len(rep.Failed); left || len(rep.Unreached) < live {
		require.Empty(t, rep.Unreached, "f=%d, %v, faults %v", f, ph, schedule)
		require.Empty(t, rep.Deadlocks, "f=%d, %v, faults %v", f, ph, schedule)
	}
	if len(ph.has) >= f*f+f+1 {
		require.Zero(t, distress(rep), "f=%d, %v, faults %v", f, ph, schedule)
	}
}

func everybody(ranks int) []int {
	var all []int
	for rank := range ranks {
		all = append(all, rank)
	}
	return all
}

// Corrected Gossip, III-D: without failures, every rank of a failure-proof correction sends to
// all ranks up to the (f+1)-th on either side that has the message, or to all there are. So
// every gap is covered by f+1 ranks from either side.
func TestFailureProofRanksSendAsFarAsTheyMust(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.IntRange(0, 4).Draw(t, "f")
		ph := anyPhase(t, 30)
		proof, err := correction.NewFailureProof(ph.logp, f)
		require.NoError(t, err)
		rep := ph.run(t, proof, nil)
		sent := make(map[[2]int]bool)
		for _, e := range rep.Events {
			if e.Kind == report.EventSend {
				sent[[2]int{e.Rank, e.Peer}] = true
			}
		}
		size := ph.logp.Ranks
		for _, rank := range ph.has {
			for _, way := range []int{1, size - 1} { // to the right, to the left
				passed := 0
				for to := (rank + way) % size; to != rank && passed <= f; to = (to + way) % size {
					require.True(t, sent[[2]int{rank, to}], "f=%d: rank %d to %d, %v", f, rank, to, ph)
					if slices.Contains(ph.has, to) {
						passed++
					}
				}
			}
		}
	})
}
