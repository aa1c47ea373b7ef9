package ulfm_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

func ticks(at clock.Time) string { return fmt.Sprintf("t=%d", at) }

// explained runs a program in which ranks wait for ever, and says why.
func explained(t *testing.T, cfg emu.Config, schedule string, main func(world *ulfm.Comm)) []string {
	t.Helper()
	machine, err := emu.New(cfg)
	require.NoError(t, err)
	diary := ulfm.NewDiary(cfg.Ranks)
	rep, err := machine.Run(context.Background(), diary.Program(main), emu.Options{Faults: faults.MustParse(schedule)})
	require.NoError(t, err)
	require.NotEmpty(t, rep.Deadlocks)
	return diary.Explain(rep)
}

func TestDeadlocksAreExplained(t *testing.T) {
	tests := []struct {
		name     string
		ranks    int
		schedule string
		main     func(world *ulfm.Comm)
		want     []string
	}{
		{
			"a hang that nobody notices", 4, "hang:3@t0",
			func(world *ulfm.Comm) { _, _ = world.Agree(1) },
			[]string{"rank 2 waits in Agree on world for the vote of rank 3, which hung at t=0. Nobody knows that: the failure detector does not notice hangs. MPI ends calls only for failures that are detected"},
		},
		{
			"a rank gives up after an error and does not revoke", 4, "crash:3@t10",
			func(world *ulfm.Comm) {
				for range 100 {
					if _, err := world.Sendrecv((world.Rank()+1)%4, 0, "", (world.Rank()+3)%4, 0); err != nil {
						return
					}
				}
			},
			[]string{"rank 1 waits in Sendrecv on world for a message from rank 0, which lives and has returned from its program at t=15, after Sendrecv there had ended at t=14 with: ulfm: rank 3 has failed. " +
				"MPI ends the calls of others only if the rank they wait for has failed. A rank that gives up after an error has to Revoke the communicator"},
		},
		{
			"a communicator that some do not have", 4, "crash:0@after-send1",
			func(world *ulfm.Comm) {
				c, err := world.Dup()
				if err == nil && c.Rank() == 2 {
					_, _ = c.Recv(1, 0)
				}
				if err == nil && c.Rank() == 1 {
					_ = c.Send(2, 0, "")
				}
			},
			[]string{"rank 2 waits in Recv on communicator 0.1 for a message from rank 1, which lives and has returned from its program at t=14, and does not have that communicator: its Dup on world failed at t=13 with: ulfm: rank 0 has failed. " +
				"A call that makes a communicator may fail on some members only, so a program has to Agree before it uses the new one"},
		},
		{
			"different collective operations", 2, "none",
			func(world *ulfm.Comm) {
				if world.Rank() == 0 {
					_ = world.Barrier()
				} else {
					_, _ = world.Agree(1)
				}
			},
			[]string{
				"rank 0 waits in Barrier on world for rank 1, which is in Agree there since t=0. All members must call the collective operations of a communicator in the same order",
				"rank 1 waits in Agree on world for the decision from rank 0, which is in Barrier there since t=0. All members must call the collective operations of a communicator in the same order",
			},
		},
		{
			"different agreements", 2, "none",
			func(world *ulfm.Comm) {
				if world.Rank() == 0 {
					_, _ = world.Agree(1)
				} else {
					_, _ = world.Shrink()
				}
			},
			[]string{
				"rank 0 waits in Agree on world for the vote of rank 1, which has called Shrink there. All members must call their agreements in the same order",
				"rank 1 waits in Shrink on world for the decision from rank 0, which is in Agree there since t=0. All members must call the collective operations of a communicator in the same order",
			},
		},
		{
			"a member that does not take part", 3, "none",
			func(world *ulfm.Comm) {
				if world.Rank() > 0 {
					_ = world.Barrier()
				}
			},
			[]string{"ranks 1 and 2 wait in Barrier on world for rank 0, which lives and has returned from its program at t=0 without having called Barrier. All members must call it"},
		},
		{
			"all receive before they send", 3, "none",
			func(world *ulfm.Comm) {
				_, _ = world.Recv((world.Rank()+1)%2, 0) // 0 and 1 wait for each other, and 2 for 1
				_ = world.Send((world.Rank()+1)%2, 0, "")
			},
			[]string{
				"rank 0 waits in Recv on world for a message from rank 1, which is in Recv on world since t=0 and waits for rank 0 in turn. One of them has to send before it waits, or to do both at once (Sendrecv, Irecv)",
				"rank 1 waits in Recv on world for a message from rank 0, which is in Recv on world since t=0 and waits for rank 1 in turn. One of them has to send before it waits, or to do both at once (Sendrecv, Irecv)",
			},
		},
		{
			"synchronous sends to each other", 2, "none",
			func(world *ulfm.Comm) { _ = world.Ssend(1-world.Rank(), 0, "") },
			[]string{
				"rank 0 waits in Ssend on world for a receive of rank 1, which is in Ssend on world since t=0 and waits for rank 0 in turn. One of them has to send before it waits, or to do both at once (Sendrecv, Irecv)",
				"rank 1 waits in Ssend on world for a receive of rank 0, which is in Ssend on world since t=0 and waits for rank 1 in turn. One of them has to send before it waits, or to do both at once (Sendrecv, Irecv)",
			},
		},
		{
			"a message with another tag", 2, "none",
			func(world *ulfm.Comm) {
				if world.Rank() == 0 {
					_ = world.Send(1, 8, "")
				} else {
					_, _ = world.Recv(0, 7)
				}
			},
			[]string{"rank 1 waits in Recv on world for a message from rank 0, which lives and has returned from its program at t=1. It has to send before it goes on, or Revoke the communicator. There is a message from rank 0 with tag 8, which does not match: the receive wants tag 7"},
		},
		{
			"an Ssend that nobody receives", 2, "none",
			func(world *ulfm.Comm) {
				if world.Rank() == 0 {
					_ = world.Ssend(1, 8, "")
				}
			},
			[]string{"rank 0 waits in Ssend on world for a receive of rank 1, which lives and has returned from its program at t=0. It has to receive before it goes on, or Revoke the communicator"},
		},
		{
			"a message that is never sent", 2, "none",
			func(world *ulfm.Comm) {
				if world.Rank() == 0 {
					_, _ = world.Recv(1, 0)
				}
			},
			[]string{"rank 0 waits in Recv on world for a message from rank 1, which lives and has returned from its program at t=0. It has to send before it goes on, or Revoke the communicator"},
		},
		{
			"nobody sends to any source", 3, "crash:2@t0",
			func(world *ulfm.Comm) {
				if world.Rank() == 0 {
					world.FailureAck()
					_, _ = world.Recv(ulfm.AnySource, 0)
				}
			},
			[]string{"rank 0 waits in Recv on world for a message from any source, and nobody is going to send one. Whoever receives from any source has to know when to stop"},
		},
		{
			"a rank that is not started anew", 3, "crash:2@t0",
			func(world *ulfm.Comm) {
				smaller, err := world.Shrink()
				if err == nil {
					_, _ = smaller.Spawn([]int{2})
				}
			},
			[]string{"rank 0 waits in Spawn on communicator 0.1 for rank 2, which is not started anew: Spawn waits for ranks that the schedule starts (rejoin:2@t...)"},
		},
		{
			"two communicators in opposite order", 3, "none",
			func(world *ulfm.Comm) {
				a, _ := world.Dup()
				b, _ := world.Dup()
				switch world.Rank() {
				case 0:
					_, _ = a.Recv(1, 0)
					_ = b.Send(1, 0, "")
				case 1:
					_, _ = b.Recv(0, 0)
					_ = a.Send(0, 0, "")
				}
			},
			[]string{
				"rank 0 waits in Recv on communicator 0.1 for a message from rank 1, which is in Recv on communicator 0.2 since t=19 and waits for rank 0 in turn. Communicators with members in common must be used in the same order by all of them",
				"rank 1 waits in Recv on communicator 0.2 for a message from rank 0, which is in Recv on communicator 0.1 since t=16 and waits for rank 1 in turn. Communicators with members in common must be used in the same order by all of them",
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, explained(t, machineOf(test.ranks), test.schedule, test.main))
		})
	}
}

func TestExplanationsSayWhoKnowsOfAFailure(t *testing.T) {
	notes := make([]ulfm.Note, 5)
	notes[0] = ulfm.Note{Call: "Recv", Comm: "world", For: "a message from", From: []int{3}}
	notes[1].Knows, notes[2].Knows = []int{3}, []int{3}
	failed := []ulfm.Lost{{Rank: 3, At: 7}}
	require.Equal(t, []string{
		"rank 0 waits in Recv on world for a message from rank 3, which crashed at t=7. It does not know that, ranks 1 and 2 do. MPI ends calls only for failures that are detected",
	}, ulfm.Explain(notes, failed, ticks))
	notes[0].Knows = []int{3}
	require.Equal(t, []string{
		"rank 0 waits in Recv on world for a message from rank 3, which crashed at t=7. It knows that, so the call should have ended: the algorithm does not stand this failure",
	}, ulfm.Explain(notes, failed, ticks))
}

func TestManyCausesAreCutShort(t *testing.T) {
	notes := make([]ulfm.Note, 24)
	for rank := range 12 {
		notes[rank] = ulfm.Note{Call: "Recv", Comm: "world", For: "a message from", From: []int{rank + 12}}
	}
	lines := ulfm.Explain(notes, nil, ticks)
	require.Len(t, lines, 9)
	require.Equal(t, "and 4 causes more", lines[8])
}
