package search

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// chatter is a random program: ranks send, wait, poll and receive with and without deadlines, ask a failure detector if there is one, and what
// they do next depends on whom they have heard of.
func chatter(ranks, length int, seed uint64) protocols.Program {
	return protocols.Program{Main: func(p protocols.Proc) {
		random := rand.New(rand.NewPCG(seed, uint64(p.Rank())))
		answer := func(from int) {
			if (from+p.Rank())%2 == 0 {
				p.Send((p.Rank()+1)%ranks, mailbox.Message{Kind: 1})
			}
		}
		detector, choices := p.Detector(), 11
		if detector != nil {
			choices = 16
		}
		for range length {
			switch random.IntN(choices) {
			case 0, 1, 2, 3:
				p.Send((p.Rank()+1+random.IntN(ranks-1))%ranks, mailbox.Message{})
			case 4, 5, 6:
				if from, _, ok := p.RecvUntil(mailbox.Any, p.Now()+1+clock.Time(random.IntN(9))); ok {
					answer(from)
				}
			case 7:
				if from, _, ok := p.Poll(mailbox.Any); ok {
					answer(from)
				}
			case 8, 9:
				p.WaitUntil(clock.Time(random.IntN(20)))
			case 10:
				from, _ := p.Recv(mailbox.Any)
				answer(from)
			case 11, 12:
				detector.Watch(random.IntN(ranks))
			case 13:
				detector.WatchNext(random.IntN(2))
			case 14:
				if other := random.IntN(ranks); detector.Suspects(other) {
					answer(other)
				}
			case 15:
				if failed, ok := detector.Known(random.IntN(2)); ok {
					answer(failed)
				}
			}
		}
	}}
}

// bruteForce tries all delays by the tick, up to one that is longer than all that an exploration has tried, and collects cases.
type bruteForce struct {
	t       *testing.T
	subject *Subject
	machine *emu.Machine
	program protocols.Program
	longest clock.Time
	cases   map[report.Hash]struct{}
	same    map[report.Hash]struct{} // cases of failures that nobody notices: an exploration may leave them out
	runs    int
}

func newBruteForce(t *testing.T, s *Subject) *bruteForce {
	machine, err := s.machine(emu.TraceDecisions, 1)
	require.NoError(t, err)
	return &bruteForce{t, s, machine, s.mustTrial(t).Program, 0, make(map[report.Hash]struct{}), make(map[report.Hash]struct{}), 0}
}

// all runs a schedule and all that extend it within the bounds.
func (b *bruteForce) all(s faults.Schedule, bounds Bounds) {
	rep := b.run(s)
	b.runs++
	if len(rep.Unfired) > 0 {
		return
	}
	if place := report.Hash(b.what(rep)); b.unnoticed(s, rep) {
		b.same[place] = struct{}{}
	} else {
		b.cases[place] = struct{}{}
	}
	left := bounds.without(s)
	sent := make(map[int]int)
	for _, e := range rep.Events {
		if e.Kind != report.EventSend {
			continue
		}
		sent[e.Rank]++
		for _, kind := range []faults.Kind{faults.Late, faults.Lose, faults.Twice} {
			f := faults.Fault{Kind: kind, Rank: e.Rank, At: faults.DuringNthSend(sent[e.Rank])}
			if *left.of(kind) == 0 || slices.ContainsFunc(s, func(had faults.Fault) bool {
				return had.Rank == f.Rank && had.At == f.At && (had.Kind == f.Kind || had.Kind != faults.Twice && kind != faults.Twice)
			}) {
				continue
			}
			if kind == faults.Lose {
				b.all(append(slices.Clone(s), f), bounds)
				continue
			}
			for f.Delay = 1; f.Delay <= b.longest; f.Delay++ {
				b.all(append(slices.Clone(s), f), bounds)
			}
		}
	}
	if left.Faults == 0 {
		return
	}
	for rank := range rep.Ranks {
		if !rep.Ranks[rank].Outcome.Failed() {
			for _, at := range pointsOf(rep, rank) {
				b.all(append(slices.Clone(s), faults.Fault{Rank: rank, At: at}), bounds)
			}
		}
	}
}

func (b *bruteForce) run(s faults.Schedule) *report.Report {
	rep, err := b.machine.Run(b.t.Context(), b.program, emu.Options{Faults: s, Seed: b.subject.Seed})
	require.NoError(b.t, err)
	return rep
}

func (b *bruteForce) what(rep *report.Report) uint64 {
	return placesOf(rep, b.subject.Machine.Unordered).what
}

// unnoticed reports whether a failure in the schedule makes no difference to others: it is as if it had not happened.
func (b *bruteForce) unnoticed(s faults.Schedule, rep *report.Report) bool {
	for i, f := range s {
		if f.Kind.Stops() {
			without := b.run(slices.Delete(slices.Clone(s), i, i+1))
			without.Ranks[f.Rank].Outcome = rep.Ranks[f.Rank].Outcome
			if b.what(without) == b.what(rep) {
				return true
			}
		}
	}
	return false
}

// The cases that an exploration meets are those that delays by the tick lead to, all of them and no others.
func TestNoDelayIsMissed(t *testing.T) {
	for name, test := range map[string]struct {
		bounds        Bounds
		ranks, length int
		seeds         uint64
		change        func(*emu.Config)
	}{
		"a delay":                 {bounds: Bounds{Delays: 1}, ranks: 4, length: 6, seeds: 40},
		"two delays":              {bounds: Bounds{Delays: 2}, ranks: 3, length: 4, seeds: 3},
		"a loss and a delay":      {bounds: Bounds{Delays: 1, Losses: 1}, ranks: 3, length: 5, seeds: 10},
		"a duplicate and a delay": {bounds: Bounds{Delays: 1, Duplicates: 1}, ranks: 2, length: 5, seeds: 3},
		"a failure and a delay":   {bounds: Bounds{Delays: 1, Faults: 1}, ranks: 3, length: 5, seeds: 4},
		"two losses":              {bounds: Bounds{Losses: 2}, ranks: 3, length: 5, seeds: 30},
		"no order on links":       {bounds: Bounds{Delays: 2}, ranks: 2, length: 6, seeds: 3, change: func(c *emu.Config) { c.Unordered = true }},
		"gap, and long ways":      {bounds: Bounds{Delays: 1}, ranks: 4, length: 6, seeds: 30, change: func(c *emu.Config) { c.Gap, c.Latency, c.Overhead = 5, 7, 3 }},
		"many receives":           {bounds: Bounds{Delays: 1}, ranks: 4, length: 6, seeds: 30, change: func(c *emu.Config) { c.ManyReceives = true }},
		"noise":                   {bounds: Bounds{Delays: 1}, ranks: 4, length: 5, seeds: 8, change: func(c *emu.Config) { c.Noise = &clock.Noise{Period: 9, Length: 2} }},
		"a switch":                {bounds: Bounds{Delays: 1}, ranks: 4, length: 5, seeds: 8, change: func(c *emu.Config) { c.Network = clock.Switch{In: 1, Service: 2, Out: 1} }},
		"nodes": {bounds: Bounds{Delays: 1}, ranks: 4, length: 5, seeds: 8, change: func(c *emu.Config) {
			c.Overhead = 3
			c.Network = clock.Nodes{Ranks: 4, Nodes: 2, Between: clock.Uniform(4), Inside: clock.Local{Latency: 1, Overhead: 1}}
		}},
		"a detector": {bounds: Bounds{Delays: 1, Faults: 1}, ranks: 3, length: 5, seeds: 6, change: func(c *emu.Config) { c.Detection.Delay = 11 }},
		"an uneven detector": {bounds: Bounds{Delays: 1, Faults: 1}, ranks: 3, length: 5, seeds: 6, change: func(c *emu.Config) {
			c.Detection = emu.Detection{Delay: 4, Spread: 12}
		}},
		"heartbeats": {bounds: Bounds{Delays: 1, Faults: 1}, ranks: 3, length: 5, seeds: 4, change: func(c *emu.Config) {
			c.Detection = emu.Detection{Delay: 12, Spread: 12, Period: 8}
		}},
		"jitter": {bounds: Bounds{Delays: 1}, ranks: 4, length: 6, seeds: 30, change: func(c *emu.Config) { c.Jitter = clock.UniformJitter{Most: 9} }},
	} {
		t.Run(name, func(t *testing.T) {
			switch {
			case thorough.All():
				test.seeds *= 4
			case testing.Short():
				test.seeds = max(1, test.seeds/4)
			default:
				test.seeds = (test.seeds + 1) / 2
			}
			cases, runs, tried := 0, int64(0), 0
			for seed := range test.seeds {
				s := subject(test.ranks, chatter(test.ranks, test.length, seed), reachesNobodyInParticular)
				s.Seed = seed
				if test.change != nil {
					test.change(&s.Machine)
				}
				found := explore(t, s, ExploreOptions{
					Faults: test.bounds.Faults, Delays: test.bounds.Delays, Losses: test.bounds.Losses, Duplicates: test.bounds.Duplicates, Roots: true,
					Kinds: []faults.Kind{faults.Crash},
				})
				b := newBruteForce(t, s)
				b.longest = found.longest + 3 // and a little more, to see that there is nothing
				b.all(nil, test.bounds)
				for place := range b.same {
					if slices.Contains(found.Cases, place) {
						b.cases[place] = struct{}{}
					}
				}
				require.Equal(t, slices.Sorted(maps.Keys(b.cases)), found.Cases, "seed %d", seed)
				cases, runs, tried = cases+len(b.cases), runs+found.Runs, tried+b.runs
			}
			t.Logf("%d cases, %d runs in the place of %d", cases, runs, tried)
			require.GreaterOrEqual(t, cases, int(test.seeds))
			require.Less(t, runs, int64(tried))
		})
	}
}

// Whoever left out delays would be found out: up to five ticks are not all there is.
func TestDelaysThatAreLeftOutAreMissed(t *testing.T) {
	missed := 0
	for seed := range uint64(10) {
		s := subject(4, chatter(4, 6, seed), reachesNobodyInParticular)
		s.Seed = seed
		short := explore(t, s, ExploreOptions{Delays: 1, MaxLate: 5})
		b := newBruteForce(t, s)
		b.longest = 5
		b.all(nil, Bounds{Delays: 1})
		require.Equal(t, slices.Sorted(maps.Keys(b.cases)), short.Cases)
		missed += len(explore(t, s, ExploreOptions{Delays: 1}).Cases) - len(short.Cases)
	}
	require.Greater(t, missed, 20)
}

// By the tick it is as well, and takes more runs.
func TestEveryTickIsTriedIfAsked(t *testing.T) {
	s := subject(3, chatter(3, 5, 1), reachesNobodyInParticular)
	some := explore(t, s, ExploreOptions{Delays: 2})
	every := explore(t, s, ExploreOptions{Delays: 2, Every: true})
	require.Equal(t, some.Cases, every.Cases)
	require.Less(t, 2*some.Runs, every.Runs)
}

// A rank that fails after a late message is noticed by the last heartbeat before that, now before another message that follows from it and now after
// it, again and again: between two delays with the same order there may be one with another.
func TestHeartbeatsAreSweptByTheTick(t *testing.T) {
	s := subject(3, protocols.Program{Main: func(p protocols.Proc) {
		switch p.Rank() {
		case 0:
			p.Send(1, mailbox.Message{})
			p.Recv(mailbox.Any)
			p.WaitUntil(p.Now() + 3)
			p.Send(2, mailbox.Message{})
		case 1:
			p.Recv(mailbox.Any)
			p.Send(0, mailbox.Message{})
		case 2:
			p.Detector().Watch(1)
			p.Recv(mailbox.Any)
			p.Recv(mailbox.Any)
		}
	}}, reachesNobodyInParticular)
	s.Machine.Detection = emu.Detection{Delay: 12, Period: 7}
	options := ExploreOptions{Faults: 1, Delays: 1, Roots: true, Kinds: []faults.Kind{faults.Crash}}
	some := explore(t, s, options)
	options.Every = true
	require.Equal(t, explore(t, s, options).Cases, some.Cases)
}

// Explorations of delays are the same with any number of workers, and can be interrupted at any time.
func TestExplorationsOfDelaysResume(t *testing.T) {
	s := subject(4, chatter(4, 5, 5), func(rep *report.Report) []guarantee.Verdict {
		return []guarantee.Verdict{{Name: "ends early", Value: guarantee.ValueOf(rep.Quiescence < 25)}}
	})
	options := ExploreOptions{Faults: 1, Delays: 1, Workers: 1}
	want := explore(t, s, options)
	require.NotEmpty(t, want.Violations)
	options.Workers = 3
	require.Equal(t, want, explore(t, s, options))
	for _, runs := range []int{1, int(want.Runs) / 5, int(want.Runs) / 2} {
		part, err := exploreUpTo(t, s, options, runs)
		require.ErrorIs(t, err, context.Canceled)
		options.Resume = stored(t, part)
		requireSame(t, want, explore(t, s, options))
		options.Resume = nil
	}
}
