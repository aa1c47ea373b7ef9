package cause_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/check/cause"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// gossip has ranks wait for one message each from several others, some with deadlines, and pass on what they know.
func gossip(ranks, rounds int) tried {
	knows := make([]int64, ranks)
	return tried{
		ranks: ranks,
		program: protocols.Program{KindName: named, Main: func(p protocols.Proc) {
			me, n := p.Rank(), p.Size()
			known := int64(me)
			knows[me] = -1
			for round := range rounds {
				p.Send((me+1+round)%n, mailbox.Message{Kind: vote, Epoch: uint32(round), A: known})
				want := mailbox.OfKind(vote).OfEpoch(uint32(round))
				if me%3 == 0 {
					if _, m, ok := p.RecvUntil(want, p.Now()+15); ok {
						known += m.A
					}
					continue
				}
				_, m := p.Recv(want)
				known += m.A
			}
			knows[me] = known
		}},
		promises: []guarantee.Guarantee{guarantee.NoDeadlock{}},
		check: func(rep *report.Report) guarantee.Verdict {
			v := guarantee.Verdict{Name: "sum", Value: guarantee.Held}
			for rank := range rep.Live() {
				if knows[rank] != expected(rank, ranks, rounds) {
					v.Value, v.Evidence = guarantee.Broken, guarantee.ListRanks([]int{rank})+" has another sum"
				}
			}
			return v
		},
	}
}

// expected is what a rank knows if nothing happens.
func expected(rank, ranks, rounds int) int64 {
	known := make([]int64, ranks)
	for r := range known {
		known[r] = int64(r)
	}
	for round := range rounds {
		next := slices.Clone(known)
		for r := range known {
			next[(r+1+round)%ranks] += known[r]
		}
		known = next
	}
	return known[rank]
}

// recorder keeps what a case was played with.
type recorder struct {
	cause.Case
	runs map[string]*report.Report // with events
	held map[string]bool
}

func record(c cause.Case) *recorder {
	r := &recorder{Case: c, runs: make(map[string]*report.Report), held: make(map[string]bool)}
	r.Play = func(ctx context.Context, s faults.Schedule, events bool) (cause.Played, error) {
		p, err := c.Play(ctx, s, events)
		if events {
			r.runs[s.String()] = p.Report
		}
		r.held[s.String()] = len(guarantee.OnlyBroken(p.Verdicts)) == 0
		return p, err
	}
	return r
}

// What an explanation says is so: its events are in the two runs, messages that are missing are in the one and not in the other, the story ends with a fault
// without which the promise holds, and it is the same each time.
func TestExplanationsAreTrue(t *testing.T) {
	kinds := make(map[faults.Kind]int)
	count := func(dropped faults.Schedule) {
		if len(dropped) == 1 {
			kinds[dropped[0].Kind]++
		}
	}
	rapid.Check(t, func(t *rapid.T) { count(explainedTruly(t)) })
	// Few runs may have been about only some kinds.
	about := []faults.Kind{faults.Crash, faults.Hang, faults.Cut, faults.Late, faults.Lose}
	missing := func(k faults.Kind) bool { return kinds[k] == 0 }
	more := rapid.Custom(explainedTruly)
	for seed := 0; seed < 2000 && slices.ContainsFunc(about, missing); seed++ {
		count(more.Example(seed))
	}
	require.False(t, slices.ContainsFunc(about, missing), kinds)
}

// explainedTruly tries one schedule, and returns the faults without which it was compared.
func explainedTruly(t *rapid.T) faults.Schedule {
	x := gossip(rapid.IntRange(2, 7).Draw(t, "ranks"), rapid.IntRange(1, 4).Draw(t, "rounds"))
	schedule := someFaults(t, x.ranks)
	r := record(x.asked(t, schedule))
	found, err := cause.Explain(t.Context(), r.Case)
	require.NoError(t, err)
	if found.Beside == "" {
		return nil
	}
	again, err := cause.Explain(t.Context(), x.asked(t, schedule))
	require.NoError(t, err)
	require.Equal(t, found.Lines(), again.Lines())

	broken := r.runs[schedule.String()]
	var whole *report.Report
	var dropped faults.Schedule
	for _, c := range found.Without {
		if held, played := r.held[c.Faults.String()]; played {
			require.Equal(t, c.Holds, held, "%s: %s", c.What, c.Becomes)
		}
		if c.Holds && c.What == found.Beside || c.What == "without any of them" {
			if whole = r.runs[c.Faults.String()]; whole != nil {
				dropped = slices.DeleteFunc(slices.Clone(schedule), func(f faults.Fault) bool { return slices.Contains(c.Faults, f) })
			}
		}
	}
	require.NotNil(t, whole)
	require.NotEmpty(t, found.Because)
	for _, s := range found.Because {
		requireTrue(t, s, broken.Events, whole.Events)
	}
	for i, s := range found.Because {
		require.False(t, s.Fault != nil && s.Fault.Kind.Stops() && len(dropped) > 0 && !slices.Contains(dropped, *s.Fault), "%s: in both runs", s.Text)
		// A rank may have failed, and a message come to it, after what it had not done before that.
		later := []report.EventKind{report.EventCrash, report.EventHang, report.EventLost}
		if i > 0 && s.Event != nil && found.Because[i-1].Event != nil && !slices.Contains(later, s.Event.Kind) {
			require.LessOrEqual(t, begins(s), ends(found.Because[i-1]), "%v: a reason after what it led to", found.Lines())
		}
	}
	if len(dropped) == 1 {
		ends := slices.IndexFunc(found.Because, func(s cause.Step) bool { return s.Fault != nil && *s.Fault == dropped[0] })
		require.GreaterOrEqual(t, ends, 0, "%v: %v", dropped, found.Lines())
	}
	return dropped
}

// begins is when something was not so any more in both runs, and ends when it was done in the one that is explained.
func begins(s cause.Step) clock.Time {
	if s.Missing != nil {
		return min(s.Event.Time, s.Missing.Time)
	}
	return s.Event.Time
}

func ends(s cause.Step) clock.Time { return s.Event.Time }

// requireTrue compares a step with the events of the two runs.
func requireTrue(t *rapid.T, s cause.Step, broken, whole []report.Event) {
	if s.Event != nil {
		require.True(t, among(broken, s.Event), "%s: %v", s.Text, s.Event)
	}
	if s.Missing == nil {
		return
	}
	require.True(t, among(whole, s.Missing), "%s: %v", s.Text, s.Missing)
	require.True(t, s.Event == nil || *s.Event != *s.Missing, s.Text)
	if s.Event == nil && s.Missing.Kind == report.EventTake {
		require.Less(t, count(broken, s.Missing), count(whole, s.Missing), s.Text)
	}
}

// someFaults are one to four faults of any kind; some cuts are mended.
func someFaults(t *rapid.T, ranks int) faults.Schedule {
	var s faults.Schedule
	add := func(f faults.Fault) {
		if !slices.Contains(s, f) {
			s = append(s, f)
		}
	}
	for range rapid.IntRange(1, 4).Draw(t, "faults") {
		f := faults.Fault{
			Kind: rapid.SampledFrom([]faults.Kind{faults.Crash, faults.Hang, faults.Slow, faults.Cut, faults.Late, faults.Lose, faults.Twice}).Draw(t, "kind"),
			Rank: rapid.IntRange(0, ranks-1).Draw(t, "rank"),
		}
		at, n := clock.Time(rapid.IntRange(0, 25).Draw(t, "t")), rapid.IntRange(1, 4).Draw(t, "n")
		switch {
		case f.Kind == faults.Cut:
			f = faults.CutBetween(faults.GroupOf(f.Rank), faults.Others, at)
		case f.Kind.OfMessages():
			f.At = faults.Point{Anchor: faults.MidSend, N: n}
			if f.Kind.Delays() {
				f.Delay = 1 + 2*at
			}
		case rapid.Bool().Draw(t, "by the clock"):
			f.At = faults.OnTime(at)
		default:
			f.At = faults.AfterNthSend(n)
		}
		if f.Kind == faults.Slow {
			f.Factor = 2 + n
		}
		if f.Kind.OfMessages() && rapid.Bool().Draw(t, "on links") {
			f = faults.Fault{Kind: f.Kind, Left: faults.GroupOf(f.Rank), Right: faults.Others, OneWay: rapid.Bool().Draw(t, "one way"), At: faults.OnTime(at), Until: at + clock.Time(n), Delay: f.Delay}
		}
		add(f)
		if after := at + clock.Time(n); f.Kind == faults.Cut && rapid.Bool().Draw(t, "mended") {
			f.Kind, f.At = faults.Mend, faults.OnTime(after)
			add(f)
		}
	}
	return s
}

// among reports whether an event is one of them.
func among(all []report.Event, e *report.Event) bool { return slices.Contains(all, *e) }

// count is how many events are the same but for their times and values.
func count(all []report.Event, e *report.Event) (n int) {
	for _, other := range all {
		if other.Kind == e.Kind && other.Rank == e.Rank && other.Peer == e.Peer && other.Msg == e.Msg && other.Epoch == e.Epoch {
			n++
		}
	}
	return n
}

// Each message of a path was taken after it was sent, by whoever sent the one that the path has before it, and was the last one that it had taken.
func TestPathsGoBackInTime(t *testing.T) {
	hops := 0
	rapid.Check(t, func(t *rapid.T) {
		x := gossip(rapid.IntRange(2, 7).Draw(t, "ranks"), rapid.IntRange(1, 4).Draw(t, "rounds"))
		p, err := x.player(t)(t.Context(), someFaults(t, x.ranks), true)
		require.NoError(t, err)
		rank, by := rapid.IntRange(0, x.ranks-1).Draw(t, "whom"), clock.Time(rapid.IntRange(0, 60).Draw(t, "by"))
		for _, h := range cause.Path(p.Report, rank, by) {
			require.True(t, among(p.Report.Events, h.Send) && among(p.Report.Events, h.Take))
			require.Equal(t, []int{rank, h.Send.Rank}, []int{h.Take.Rank, h.Take.Peer})
			require.LessOrEqual(t, h.Take.Time, by)
			require.Less(t, h.Send.Time, h.Take.Time)
			require.GreaterOrEqual(t, h.Wait, clock.Time(0))
			for _, e := range p.Report.Events {
				later := e.Kind == report.EventTake && e.Rank == rank && e.Time > h.Take.Time && e.Time < by
				require.False(t, later, "%v after %v", e, h.Take)
			}
			rank, by = h.Send.Rank, h.Send.Time
			hops++
		}
	})
	require.Positive(t, hops)
}

// Runs that would not fit are refused.
func TestLargeRunsAreRefused(t *testing.T) {
	x := relay(2)
	c := x.asked(t, nil)
	c.Play = func(context.Context, faults.Schedule, bool) (cause.Played, error) {
		return cause.Played{Report: &report.Report{Messages: 6_291_456}, Verdicts: []guarantee.Verdict{{Name: "something"}}}, nil
	}
	_, err := cause.Explain(t.Context(), c)
	var large *cause.TooLargeError
	require.ErrorAs(t, err, &large)
	require.EqualError(t, err, "runs are explained up to 250,000 messages, and this one has 6,291,456")

	c.Play = func(context.Context, faults.Schedule, bool) (cause.Played, error) {
		return cause.Played{}, errors.New("no memory")
	}
	_, err = cause.Explain(t.Context(), c)
	require.EqualError(t, err, "no memory")
}

// What a rank had got before it failed, and not taken, is gone: what it takes in its next life was sent later, however alike the two are.
func TestMailOfFormerLivesIsGone(t *testing.T) {
	x := relay(2)
	x.program.Main = func(p protocols.Proc) {
		if p.Rank() == 1 {
			p.WaitUntil(10)
			p.Recv(mailbox.Any)
			return
		}
		p.Send(1, mailbox.Message{Kind: token})
		p.WaitUntil(30)
		p.Send(1, mailbox.Message{Kind: token})
	}
	p, err := x.player(t)(t.Context(), faults.MustParse("hang:1@t8,rejoin:1@t20"), true)
	require.NoError(t, err)
	hops := cause.Path(p.Report, 1, clock.Never)
	require.Len(t, hops, 1)
	require.EqualValues(t, 30, hops[0].Send.Time)
	require.EqualValues(t, 34, hops[0].Take.Time)
}
