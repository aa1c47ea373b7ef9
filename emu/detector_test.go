package emu_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// notice is what rank 0 hears, and when.
type notice struct {
	from int
	at   clock.Time
}

var notices = mailbox.OfKind(protocols.Failed)

// watching runs a program in which rank 0 watches others from some instant on, and listens
// until another; all others live for ten ticks, unless they fail. Three machines must agree.
func watching(t *testing.T, d emu.Detection, from, until clock.Time, schedule string, watched ...int) []notice {
	t.Helper()
	var first []notice
	var hash report.Hash
	for _, workers := range []int{1, 2, 7} {
		machine, err := emu.New(emu.Config{
			LogP:      clock.LogP{Ranks: 200, Latency: 2, Overhead: 1},
			Detection: d, Workers: workers, Trace: emu.TraceEvents,
		})
		require.NoError(t, err)
		var heard []notice
		rep, err := machine.Run(context.Background(), protocols.Program{Main: func(p protocols.Proc) {
			if p.Rank() != 0 {
				p.WaitUntil(10)
				return
			}
			p.WaitUntil(from)
			detector, err := protocols.DetectorOf(p)
			require.NoError(t, err)
			for _, rank := range watched {
				detector.Watch(rank)
			}
			for {
				rank, _, ok := p.RecvUntil(notices, until)
				if !ok {
					return
				}
				heard = append(heard, notice{rank, p.Now()})
			}
		}}, emu.Options{Faults: faults.MustParse(schedule)})
		require.NoError(t, err)
		require.Zero(t, rep.Messages, "notices are no messages")
		require.Zero(t, rep.Quiescence)
		require.Equal(t, clock.Never, rep.Ranks[0].Coloured)
		if workers == 1 {
			first, hash = heard, rep.Hash
		}
		require.Equal(t, first, heard)
		require.Equal(t, hash, rep.Hash)
	}
	return first
}

func TestNoticesComeAsLongAfterAFailureAsTheDetectorTakes(t *testing.T) {
	d := emu.Detection{Delay: 7}
	for _, c := range []struct {
		name, schedule string
		from           clock.Time
		watched        []int
		want           []notice
	}{
		{"crash later", "crash:5@t3", 0, []int{5}, []notice{{5, 10}}},
		{"crash at the same time", "crash:5@t3", 3, []int{5}, []notice{{5, 10}}},
		{"crash just before", "crash:5@t3", 4, []int{5}, []notice{{5, 11}}},
		{"down before the run", "crash:5", 0, []int{5}, []notice{{5, 7}}},
		{"nobody fails", "none", 0, []int{5}, nil},
		{"somebody else fails", "crash:6@t3", 0, []int{5}, nil},
		{"after its program has returned", "crash:5@t20", 0, []int{5}, []notice{{5, 27}}},
		{"several, in the order of failures", "crash:5@t9,crash:190@t2,crash:77@t4", 0, []int{5, 77, 190}, []notice{{190, 9}, {77, 11}, {5, 16}}},
		{"at once, one after the other", "crash:5@t2,crash:190@t2", 0, []int{190, 5}, []notice{{5, 9}, {190, 10}}},
		{"twice", "crash:5@t2", 0, []int{5, 5}, []notice{{5, 9}, {5, 10}}},
		{"a hang is not noticed", "hang:5@t3", 0, []int{5}, nil},
		{"a crash after a hang is", "hang:5@t3,crash:5@t6", 0, []int{5}, []notice{{5, 13}}},
	} {
		require.Equal(t, c.want, watching(t, d, c.from, 100, c.schedule, c.watched...), c.name)
	}
	require.Equal(t, []notice{{5, 10}}, watching(t, emu.Detection{Delay: 7, Hangs: true}, 0, 100, "hang:5@t3", 5))
	require.Empty(t, watching(t, d, 0, 9, "crash:5@t3", 5), "not before its time")
}

func TestAWatcherThatHasFailedHearsNothing(t *testing.T) {
	require.Equal(t, []notice{{5, 9}}, watching(t, emu.Detection{Delay: 7}, 0, 100, "crash:5@t2,crash:6@t5,crash:0@t11", 5, 6))
}

func TestFailuresAreKnownAfterTheDelay(t *testing.T) {
	machine, err := emu.New(emu.Config{
		LogP: clock.LogP{Ranks: 4, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 7},
	})
	require.NoError(t, err)
	suspected := make(map[int]clock.Time)
	_, err = machine.Run(context.Background(), protocols.Program{Main: func(p protocols.Proc) {
		detector, err := protocols.DetectorOf(p)
		require.NoError(t, err)
		if p.Rank() != 0 {
			p.WaitUntil(30)
			return
		}
		for p.Now() < 30 {
			for rank := range 4 {
				if _, known := suspected[rank]; !known && detector.Suspects(rank) {
					suspected[rank] = p.Now()
				}
			}
			p.WaitUntil(p.Now() + 1)
		}
	}}, emu.Options{Faults: faults.MustParse("crash:1@t5,crash:2,hang:3@t1")})
	require.NoError(t, err)
	require.Equal(t, map[int]clock.Time{1: 12, 2: 0}, suspected)
}

func TestMachinesWithoutADetectorSaySo(t *testing.T) {
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 1, Latency: 2, Overhead: 1}})
	require.NoError(t, err)
	_, err = machine.Run(context.Background(), protocols.Program{Main: func(p protocols.Proc) {
		_, err := protocols.DetectorOf(p)
		require.ErrorIs(t, err, protocols.ErrNoDetector)
	}}, emu.Options{})
	require.NoError(t, err)
}

func TestDetectorsCannotBeFasterThanMessages(t *testing.T) {
	logp := clock.LogP{Ranks: 1, Latency: 2, Overhead: 1}
	require.NoError(t, emu.Config{LogP: logp, Detection: emu.Detection{Delay: 4}}.Validate())
	require.EqualError(t, emu.Config{LogP: logp, Detection: emu.Detection{Delay: 3}}.Validate(),
		"emu: detector delay = 3 ticks, want 0 for none or 4 (2o+L) to 1099511627776")
	require.EqualError(t, emu.Config{LogP: logp, Detection: emu.Detection{Hangs: true}}.Validate(),
		"emu: a detector notices hangs, but has no delay")
}

func TestNoticesCannotBeForged(t *testing.T) {
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 2, Latency: 2, Overhead: 1}})
	require.NoError(t, err)
	_, err = machine.Run(context.Background(), protocols.Program{Main: func(p protocols.Proc) {
		p.Send(1-p.Rank(), mailbox.Message{Kind: protocols.Failed})
	}}, emu.Options{})
	require.ErrorContains(t, err, "which failure detectors keep to themselves")
}
