package tcp_test

import (
	"context"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// The same program waits for the same reasons on both machines, and both say so in the same words. Ticks take
// an hour, so that clocks of processes show 0 until the run is over, as those of the emulator do.
func TestDeadlocksAreExplainedAsOnTheEmulator(t *testing.T) {
	t.Parallel()
	from := mailbox.From
	for name, c := range map[string]struct {
		wants  map[int]mailbox.Want // what ranks wait for; others return
		faults string
		first  string // the first deadlock
	}{
		"circle":          {map[int]mailbox.Want{5: from(2), 2: from(3), 3: from(5), 1: from(5)}, "none", "rank 1 in Recv(any from 5) since t=0: ranks wait for each other: 2 -> 3 -> 5 -> 2"},
		"itself":          {map[int]mailbox.Want{6: from(6)}, "none", "rank 6 in Recv(any from 6) since t=0: ranks wait for each other: 6 -> 6"},
		"chain":           {map[int]mailbox.Want{1: from(2).OfKind(token), 2: from(4)}, "crash:4", "rank 1 in Recv(kind=token from 2) since t=0: rank 4 crashed at t=0"},
		"hang":            {map[int]mailbox.Want{1: from(2)}, "hang:2", "rank 1 in Recv(any from 2) since t=0: rank 2 hung at t=0"},
		"finished":        {map[int]mailbox.Want{1: from(2).UpTo(3)}, "none", "rank 1 in Recv(any from 2 epoch=0..3) since t=0: rank 2 finished at t=0"},
		"an epoch":        {map[int]mailbox.Want{1: mailbox.OfKind(token).OfEpoch(3)}, "crash:2", "rank 1 in Recv(kind=token epoch=3) since t=0: no message is under way; rank 2 crashed at t=0"},
		"no such rank":    {map[int]mailbox.Want{1: from(99)}, "none", "rank 1 in Recv(any from 99) since t=0: there is no rank 99"},
		"no message":      {map[int]mailbox.Want{1: mailbox.None}, "none", "rank 1 in Recv(no message) since t=0: no rank has failed and no message is under way"},
		"cut":             {map[int]mailbox.Want{1: mailbox.Any}, "cut:0|1@t0", "rank 1 in Recv(any) since t=0: links were cut and no message is under way"},
		"several failed":  {map[int]mailbox.Want{1: mailbox.Any}, "crash:0,hang:4", "rank 1 in Recv(any) since t=0: no message is under way; rank 0 crashed at t=0, rank 4 hung at t=0"},
		"crash at a step": {map[int]mailbox.Want{1: from(2)}, "crash:2@step:begin", "rank 1 in Recv(any from 2) since t=0: rank 2 crashed at t=0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireSameDeadlocks(t, c.faults, c.first, func(p protocols.Proc) {
				p.Step("begin")
				if want, ok := c.wants[p.Rank()]; ok {
					p.Recv(want)
				}
			})
		})
	}
	t.Run("an instant", func(t *testing.T) {
		requireSameDeadlocks(t, "none", "rank 0 in WaitUntil(never) since t=0: no rank has failed and no message is under way",
			func(p protocols.Proc) { p.WaitUntil(clock.Never) })
	})
	t.Run("until never", func(t *testing.T) {
		requireSameDeadlocks(t, "none", "rank 0 in RecvUntil(kind=last) since t=0: no rank has failed and no message is under way",
			func(p protocols.Proc) { p.RecvUntil(mailbox.OfKind(last), clock.Never) })
	})
}

// Messages that were lost explain who waits, also if their senders have failed since. When that was is up to each machine.
func TestLostMessagesExplainDeadlocksAsOnTheEmulator(t *testing.T) {
	t.Parallel()
	for faults, first := range map[string]string{
		"lose:0@send1":                            "rank 1 in Recv(any from 0) since t=T: the message from 0 was lost at t=T",
		"lose:0>1@t0":                             "rank 1 in Recv(any from 0) since t=T: the message from 0 was lost at t=T",
		"cut:0>1@t0":                              "rank 1 in Recv(any from 0) since t=T: the message from 0 was lost at t=T, on a cut link",
		"lose:0@send1,crash:0@after-send1":        "rank 1 in Recv(any from 0) since t=T: the message from 0 was lost at t=T",
		"lose:0@send1,hang:0@step:sent":           "rank 1 in Recv(any from 0) since t=T: the message from 0 was lost at t=T",
		"late:0@send1+5,lose:0@send1,cut:1>0@t99": "rank 1 in Recv(any from 0) since t=T: the message from 0 was lost at t=T",
	} {
		job := someJob(2, 2)
		job.Faults = schedule(t, faults)
		program := protocols.Program{Main: func(p protocols.Proc) {
			if p.Rank() == 1 {
				p.Recv(mailbox.From(0))
				return
			}
			p.Send(1, mailbox.Message{})
			p.Step("sent")
		}}
		machine, err := emu.New(emu.Config{LogP: job.LogP})
		require.NoError(t, err)
		emulated, err := machine.Run(context.Background(), program, emu.Options{Faults: job.Faults})
		require.NoError(t, err)
		untimed := func(all []report.Deadlock) (texts []string) {
			for _, d := range all {
				texts = append(texts, regexp.MustCompile(`t=\d+`).ReplaceAllString(d.String(), "t=T"))
			}
			return texts
		}
		require.Equal(t, first, untimed(emulated.Deadlocks)[0], faults)
		require.Equal(t, untimed(emulated.Deadlocks), untimed(run(t, job, tcp.Detection{}, program.Main).Deadlocks), faults)
	}
}

// requireSameDeadlocks runs a program on both machines.
func requireSameDeadlocks(t *testing.T, faults, first string, main func(p protocols.Proc)) {
	t.Helper()
	program := protocols.Program{Main: main, KindName: func(k mailbox.Kind) string { return []string{token: "token", last: "last"}[k] }}
	job := someJob(8, 3)
	job.Tick, job.Faults = time.Hour, schedule(t, faults)

	machine, err := emu.New(emu.Config{LogP: job.LogP})
	require.NoError(t, err)
	emulated, err := machine.Run(context.Background(), program, emu.Options{Faults: job.Faults})
	require.NoError(t, err)
	require.Equal(t, first, emulated.Deadlocks[0].String())

	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	res, err := tcp.RunLocal(ctx, job, tcp.Detection{}, program)
	require.NoError(t, err)
	require.Equal(t, emulated.Deadlocks, res.Deadlocks)
	require.Equal(t, emulated.Ranks, res.Ranks)
	require.Equal(t, emulated.Failed, res.Failed)
	require.Equal(t, emulated.Unreached, res.Unreached)
}
