package viewtest

import (
	"context"
	"fmt"
	"strconv"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report/traceevent"
	"github.com/mangrove-emu/mangrove/report/view"
)

// Kinds of messages of a log that is copied, and of votes.
const (
	entry mailbox.Kind = iota
	stored
	commit
)

// Of what is told here nothing is spread.
func story(t require.TestingT, ranks int, program protocols.Program, disk clock.Disk, schedule string) view.Run {
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Disk: disk, Trace: emu.TraceEvents})
	require.NoError(t, err)
	rep, err := machine.Run(context.Background(), program, emu.Options{Faults: faults.MustParse(schedule)})
	require.NoError(t, err)
	return view.Run{
		Run:   traceevent.Run{Report: rep, KindName: program.KindName, Uncoloured: true},
		Ranks: view.DefaultRange(ranks),
	}
}

// OfLog runs a log that rank 0 lets all others write down. Operations of storage take as long as the disk says; Latency is 2, overhead 1.
func OfLog(t require.TestingT, ranks int, disk clock.Disk, schedule string) view.Run {
	return story(t, ranks, log(2), disk, schedule)
}

// log has so many entries. Rank 0 sends each to all, waits until a majority has stored it, and says that it counts. The others
// write entries down and make them safe before they answer; whoever comes back reads what is left.
func log(entries int) protocols.Program {
	const patience = 40
	return protocols.Program{
		Main: func(p protocols.Proc) {
			disk, err := protocols.StorageOf(p)
			if err != nil {
				panic(err)
			}
			if p.Rank() > 0 {
				follow(p, disk)
				return
			}
			for e := range entries {
				name := "entry " + strconv.Itoa(e)
				disk.Write(name, "x")
				for other := 1; other < p.Size(); other++ {
					p.Send(other, mailbox.Message{Kind: entry, A: int64(e)})
				}
				disk.Sync()
				for n, end := 1, p.Now()+patience; n <= p.Size()/2; {
					_, _, ok := p.RecvUntil(mailbox.OfKind(stored), end)
					if !ok {
						p.Step("gives up")
						return
					}
					n++
				}
				p.Step("committed")
				for other := 1; other < p.Size(); other++ {
					p.Send(other, mailbox.Message{Kind: commit, A: int64(e)})
				}
			}
		},
		KindName: func(k mailbox.Kind) string { return [...]string{"entry", "stored", "commit"}[k] },
	}
}

func follow(p protocols.Proc, disk protocols.Storage) {
	const patience = 60
	for _, name := range disk.Names() {
		disk.Read(name)
	}
	for end := p.Now() + patience; ; {
		from, m, ok := p.RecvUntil(mailbox.Any, end)
		name := "entry " + strconv.FormatInt(m.A, 10)
		switch {
		case !ok:
			return
		case m.Kind == entry:
			disk.Write(name, "x")
			disk.Write("last", name)
			disk.Sync()
			p.Send(from, mailbox.Message{Kind: stored, A: m.A})
		case m.Kind == commit:
			p.Step("committed")
			disk.Delete("last")
		}
	}
}

// OfVote runs a two-phase commit of ranks, of three kinds of messages or four and several steps.
func OfVote(t require.TestingT, ranks int, schedule string) view.Run {
	return story(t, ranks, vote(), clock.Disk{}, schedule)
}

func vote() protocols.Program {
	const patience = 30
	names := [...]string{"prepare", "yes", "commit", "abort"}
	return protocols.Program{
		Initiators: []int{0},
		Main: func(p protocols.Proc) {
			if p.Rank() > 0 {
				p.Recv(mailbox.OfKind(0))
				p.Step("prepared")
				p.Send(0, mailbox.Message{Kind: 1})
				_, m := p.Recv(mailbox.OfKinds(2, 3))
				p.Step(names[m.Kind])
				return
			}
			p.Step("asks all")
			for other := 1; other < p.Size(); other++ {
				p.Send(other, mailbox.Message{Kind: 0})
			}
			decision := mailbox.Kind(2)
			for n, end := 1, p.Now()+patience; n < p.Size() && decision == 2; n++ {
				if _, _, ok := p.RecvUntil(mailbox.OfKind(1), end); !ok {
					decision = 3
				}
			}
			p.Step(names[decision])
			for other := 1; other < p.Size(); other++ {
				p.Send(other, mailbox.Message{Kind: decision})
			}
		},
		KindName: func(k mailbox.Kind) string { return names[k] },
	}
}

// Hostile is a text that would like to be more than that.
const Hostile = `</script><script>window.hostile = 1</script><img src=x onerror="window.hostile = 1"> & "'`

// OfHistory is the log with verdicts on what two clients of a rank have seen: the value that was written last is not there any more. One verdict is
// broken and has marks, one held and has marks, and one held and has none. One operation never ended, and one has a text that is hostile.
func OfHistory(t require.TestingT) view.Run {
	run := OfLog(t, 4, clock.Disk{Write: 1, Sync: 3, Read: 1}, "none")
	run.Guarantees = []guarantee.Verdict{
		{Name: "no deadlock", Value: guarantee.Held, Evidence: "no rank waits for ever", Safety: true},
		{Name: "linearizable", Value: guarantee.Broken, Evidence: "no order of 5 operations explains get x → 0 of rank 2 at t=24 to 29", Marks: []guarantee.Mark{
			{Rank: 1, From: 2, To: 9, Text: "put x=1"},
			{Rank: 1, From: 5, To: 16, Text: "put x=2"},
			{Rank: 1, From: 6, To: clock.Forever, Text: "put y=" + Hostile},
			{Rank: 2, From: 17, To: 22, Text: "get x → 2"},
			{Rank: 2, From: 24, To: 29, Text: "get x → 0", Guilty: true},
		}},
		{Name: "terms only grow", Value: guarantee.Held, Evidence: "2 terms on rank 3", Marks: []guarantee.Mark{
			{Rank: 3, From: 3, To: 3, Text: "term 1"},
			{Rank: 3, From: 20, To: 20, Text: "term 2"},
		}},
	}
	return run
}

// Told is what a verdict says of many operations of many ranks.
func Told(ranks, each int, length clock.Time) (marks []guarantee.Mark) {
	for rank := range ranks {
		for i := range each {
			from := clock.Time(i) * length / 2
			marks = append(marks, guarantee.Mark{Rank: rank, From: from, To: from + length, Text: fmt.Sprintf("put x=%d", i), Guilty: i == each/2})
		}
	}
	return marks
}
