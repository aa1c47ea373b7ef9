package traceevent_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/report/traceevent"
)

func TestTracesOfBroadcastsKeepTheRulesAndCountLikeTheReport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
		ranks := number("P", 2, 20)
		line := fmt.Sprintf("broadcast P=%d L=%d o=%d g=%d seed=%d", ranks, number("L", 1, 4), number("o", 1, 3), number("g", 0, 5), number("seed", 0, 99))
		line += rapid.SampledFrom([]string{"", " tree=kary", " correction=none", " correction=optimized d=2 start=overlapped"}).Draw(t, "how")
		var items []string
		for range number("faults", 0, 4) {
			kind := rapid.SampledFrom([]string{"crash:%d", "hang:%d", "slow:%dx3", "slow:%dx2"}).Draw(t, "kind")
			at := rapid.SampledFrom([]string{"t%d", "send%d", "before-send%d", "after-send%d", "recv%d"}).Draw(t, "at")
			item := fmt.Sprintf(kind+"@"+at, number("rank", 0, ranks-1), number("n", 1, 12))
			if !slices.Contains(items, item) {
				items = append(items, item)
			}
		}
		if number("cut", 0, 3) == 0 {
			items = append(items, fmt.Sprintf("cut:%d|*@t%d", number("rank", 0, ranks-1), number("t", 0, 20)))
		}
		if len(items) > 0 {
			line += " faults=" + strings.Join(items, ",")
		}
		run := ofLine(t, line)
		p := parse(t, write(t, run))
		requireCounts(t, p, run.Report)
		requireMatched(t, p)
		requirePorts(t, p, run)
	})
}

// babble sends, receives and waits at random. Many of its messages look the same.
func babble(rounds int) protocols.Program {
	return protocols.Program{Main: func(p protocols.Proc) {
		random := p.Rand()
		for range rounds {
			p.Step("round")
			switch random.IntN(5) {
			case 0, 1, 2:
				p.Send(random.IntN(p.Size()), mailbox.Message{
					Kind: mailbox.Kind(random.IntN(2)), A: int64(random.IntN(2)), Payload: strings.Repeat("x", random.IntN(9)),
				})
			case 3:
				p.RecvUntil(mailbox.Any, p.Now()+clock.Time(random.IntN(9)))
			case 4:
				p.WaitUntil(p.Now() + clock.Time(random.IntN(6)))
			}
		}
	}}
}

func TestTracesOfAnyRunKeepTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
		ticks := func(name string, low, high int) clock.Time { return clock.Time(number(name, low, high)) }
		cfg := emu.Config{LogP: clock.LogP{
			Ranks: number("P", 2, 8), Latency: ticks("L", 1, 5), Overhead: ticks("o", 1, 4), Gap: ticks("g", 0, 6),
			PerByte: ticks("G", 0, 2), ManyReceives: rapid.Bool().Draw(t, "many"),
		}}
		if number("network", 0, 3) == 0 {
			cfg.Network = clock.Switch{In: 1, Service: ticks("service", 1, 4), Out: 1}
		}
		run := ofProgram(t, cfg, babble(20), drawFaults(t, &cfg.LogP), uint64(number("seed", 0, 999)))
		p := parse(t, write(t, run))
		requireCounts(t, p, run.Report)
		requireMatched(t, p)
		punctual := !slices.ContainsFunc(run.Report.Faults, func(f faults.Fault) bool { return f.Kind.OfMessages() })
		if cfg.PerByte == 0 && cfg.Network == nil && punctual {
			requirePorts(t, p, run)
		}
	})
}

// drawFaults draws faults of all kinds, of few ranks, so that they meet. Where long messages take long to leave, nothing happens to
// the messages of ranks that come back: it may be said after the next send.
func drawFaults(t *rapid.T, machine *clock.LogP) (s faults.Schedule) {
	ranks := machine.Ranks
	add := func(f faults.Fault) {
		if !slices.Contains(s, f) {
			s = append(s, f)
		}
	}
	for range rapid.IntRange(0, 5).Draw(t, "faults") {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		f := faults.Fault{Kind: faults.Kind(rapid.IntRange(0, 2).Draw(t, "kind")), Rank: rapid.IntRange(0, min(2, ranks-1)).Draw(t, "rank")}
		f.At = rapid.SampledFrom([]faults.Point{
			faults.OnTime(clock.Time(4 * n)), faults.BeforeNthSend(n), faults.DuringNthSend(n), faults.AfterNthSend(n),
			faults.OnNthRecv(n), faults.OnStep("round", n),
		}).Draw(t, "at")
		if f.Kind == faults.Slow {
			f.Factor = rapid.IntRange(2, 6).Draw(t, "factor")
		}
		add(f)
		if rapid.IntRange(0, 2).Draw(t, "rejoin") == 0 {
			add(faults.Fault{Kind: faults.Rejoin, Rank: f.Rank, At: faults.OnTime(clock.Time(rapid.IntRange(1, 70).Draw(t, "back")))})
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "messages") {
		f := faults.Fault{Kind: rapid.SampledFrom([]faults.Kind{faults.Late, faults.Lose, faults.Twice}).Draw(t, "fate"), Rank: rapid.IntRange(0, min(2, ranks-1)).Draw(t, "sender")}
		if machine.PerByte > 0 && s.Has(faults.Rejoin) {
			break
		}
		f.At = faults.DuringNthSend(rapid.IntRange(1, 9).Draw(t, "send"))
		if f.Kind != faults.Lose {
			f.Delay = clock.Time(rapid.IntRange(1, 30).Draw(t, "delay"))
		}
		add(f)
	}
	if rapid.IntRange(0, 2).Draw(t, "cut") == 0 {
		add(faults.Fault{Kind: faults.Cut, Left: faults.GroupOf(0), Right: faults.Others, At: faults.OnTime(clock.Time(rapid.IntRange(0, 50).Draw(t, "cut at")))})
	}
	return s
}

// requireCounts requires that everything is there once.
func requireCounts(t require.TestingT, p *parsed, rep *report.Report) {
	kinds := make(map[report.EventKind]int)
	for _, e := range rep.Events {
		kinds[e.Kind]++
	}
	require.EqualValues(t, rep.Messages, p.count("X", "send"))
	require.Equal(t, kinds[report.EventSendLost], p.count("X", "send-lost"))
	require.Equal(t, kinds[report.EventReceive], p.count("X", "receive"))
	require.Equal(t, kinds[report.EventNotice], p.count("X", "notice"))
	require.Len(t, p.arrows, kinds[report.EventReceive], "what was received was sent")
	lost := p.count("i", "lost") + len(p.named("i", "cut")) + len(p.named("i", "drop"))
	require.EqualValues(t, int(rep.Messages)+kinds[report.EventTwice], len(p.arrows)+lost)
	require.Len(t, p.named("i", "late"), kinds[report.EventLate])
	require.Len(t, p.named("i", "twice"), kinds[report.EventTwice])
	require.Equal(t, kinds[report.EventStep], p.count("i", "step"))
	require.Equal(t, kinds[report.EventCrash], len(p.named("i", "crash")))
	require.Equal(t, kinds[report.EventHang], len(p.named("i", "hang")))
	require.Len(t, p.named("i", "rejoin"), len(rep.Rejoined))
	slow := kinds[report.EventSlow]
	for range (traceevent.Run{Report: rep}).SlowByClock() {
		slow++
	}
	require.Len(t, p.named("i", "slow"), slow)
	require.Equal(t, len(rep.Deadlocks), p.count("i", "deadlock"))
	coloured := 0
	for _, r := range rep.Ranks {
		if r.Coloured != clock.Never {
			coloured++
		}
	}
	require.Equal(t, coloured, p.count("i", "colouring"))
}

// requireMatched requires that the ends of a message tell of the same message.
func requireMatched(t require.TestingT, p *parsed) {
	for _, a := range p.arrows {
		require.Equal(t, "send", a.send.Cat)
		require.Equal(t, "receive", a.receive.Cat)
		require.Equal(t, a.send.Name, a.receive.Name)
		for _, key := range []string{"kind", "epoch", "a"} {
			require.Equal(t, a.send.Args[key], a.receive.Args[key])
		}
		require.Contains(t, p.threads[*a.receive.TID]+" receives", fmt.Sprintf("rank %v receives", a.send.Args["peer"]))
		require.Equal(t, fmt.Sprintf("rank %v", a.receive.Args["peer"]), p.threads[*a.send.TID])
	}
}

// requirePorts computes when each receive began and ended from when sends ended, as package
// clock has it. The network must be uniform and sizes of no effect.
func requirePorts(t require.TestingT, p *parsed, run traceevent.Run) {
	costs := run.Report.LogP.Costs()
	by := make(map[any][]arrow)
	for _, a := range p.arrows {
		by[a.send.Args["peer"]] = append(by[a.send.Args["peer"]], a)
	}
	for rank, mine := range by {
		port := clock.RecvPort{}
		began := clock.Time(0)
		slices.SortFunc(mine, func(a, b arrow) int {
			return cmp.Or(cmp.Compare(a.receive.end(), b.receive.end()), cmp.Compare(*a.receive.TS, *b.receive.TS))
		})
		before := clock.Time(0)
		for _, a := range mine {
			start, arrival := clock.Time(*a.receive.TS), clock.Time(a.send.end())+run.Report.LogP.Latency
			for _, j := range run.Report.Rejoined {
				if fmt.Sprint(j.Rank) == fmt.Sprint(rank) && j.Time > began && j.Time <= start {
					port, began, before = clock.RecvPort{}, j.Time, j.Time
				}
			}
			slow := costs.Times(factorAt(run, fmt.Sprint(rank), start))
			require.Equal(t, port.Start(arrival), start, "rank %v", rank)
			before = max(before, port.Receive(start, &slow))
			require.EqualValues(t, before, a.receive.end(), "rank %v", rank)
		}
	}
}

// factorAt is how slow a rank is. Slow-downs by the clock come before others of that instant.
func factorAt(run traceevent.Run, rank string, at clock.Time) int {
	factor, since := 1, clock.Time(-1)
	for _, e := range slices.AppendSeq(slices.Collect(run.SlowByClock()), slices.Values(run.Report.Events)) {
		if e.Kind == report.EventSlow && fmt.Sprint(e.Rank) == rank && e.Time <= at && e.Time >= since {
			factor, since = int(e.A), e.Time
		}
	}
	return factor
}
