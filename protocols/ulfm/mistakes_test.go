package ulfm_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

func TestMistakesPanicWithValueAndRange(t *testing.T) {
	tests := []struct {
		name string
		do   func(c *ulfm.Comm)
		want string
	}{
		{"Send to a rank too high", func(c *ulfm.Comm) { _ = c.Send(4, 0, "") }, "ulfm: Send of rank 4, want 0 to 3"},
		{"Send to any source", func(c *ulfm.Comm) { _ = c.Send(ulfm.AnySource, 0, "") }, "ulfm: Send of rank -1, want 0 to 3"},
		{"Send of any tag", func(c *ulfm.Comm) { _ = c.Send(1, ulfm.AnyTag, "") }, "ulfm: Send of tag -1, want 0 or more"},
		{"SendPart of a tag", func(c *ulfm.Comm) { _ = c.SendPart(1, -7, "") }, "ulfm: SendPart of tag -7, want 0 or more"},
		{"Recv from a rank too low", func(c *ulfm.Comm) { _, _ = c.Recv(-3, 0) }, "ulfm: Recv of rank -3, want 0 to 3"},
		{"Recv of a tag", func(c *ulfm.Comm) { _, _ = c.Recv(1, -2) }, "ulfm: Recv of tag -2, want 0 or more"},
		{"Post from a rank too high", func(c *ulfm.Comm) { c.Post(9, 0) }, "ulfm: Irecv of rank 9, want 0 to 3"},
		{"RecvPart of a tag", func(c *ulfm.Comm) { _, _ = c.RecvPart(1, -2) }, "ulfm: RecvPart of tag -2, want 0 or more"},
		{"Probe of a rank too high", func(c *ulfm.Comm) { _, _ = c.Probe(4, 0) }, "ulfm: Probe of rank 4, want 0 to 3"},
		{"Probe of a tag", func(c *ulfm.Comm) { _, _ = c.Probe(1, -2) }, "ulfm: Probe of tag -2, want 0 or more"},
		{"Wait after Cancel", func(c *ulfm.Comm) { r := c.Post(1, 0); r.Cancel(); _, _ = r.Wait() }, "ulfm: Wait for a receive that was given up"},
		{"MachineRank", func(c *ulfm.Comm) { c.MachineRank(-1) }, "ulfm: MachineRank of rank -1, want 0 to 3"},
		{"Create with a rank too high", func(c *ulfm.Comm) { _, _ = c.Create([]int{0, 4}) }, "ulfm: Create of rank 4, want 0 to 3"},
		{"Create with a rank twice", func(c *ulfm.Comm) { _, _ = c.Create([]int{1, 1}) }, "ulfm: Create of ranks [1 1], want each once"},
		{"Split with a colour", func(c *ulfm.Comm) { _, _ = c.Split(-2, 0) }, "ulfm: Split with colour -2, want 0 or more, or -1 for none"},
		{"Isend to a rank too high", func(c *ulfm.Comm) { c.Isend(4, 0, "") }, "ulfm: Isend of rank 4, want 0 to 3"},
		{"Iprobe of a rank too high", func(c *ulfm.Comm) { _, _, _ = c.Iprobe(4, 0) }, "ulfm: Iprobe of rank 4, want 0 to 3"},
		{"Sendrecv to a rank too high", func(c *ulfm.Comm) { _, _ = c.Sendrecv(4, 0, "", 1, 0) }, "ulfm: Sendrecv of rank 4, want 0 to 3"},
		{"AckFailed of too few", func(c *ulfm.Comm) { c.AckFailed(-1) }, "ulfm: AckFailed of -1 failures, want 0 or more"},
		{"Spawn of a rank too high", func(c *ulfm.Comm) { _, _ = c.Spawn([]int{4}) }, "ulfm: Spawn of rank 4, want 0 to 3"},
		{"Spawn of a member", func(c *ulfm.Comm) { _, _ = c.Spawn([]int{2}) }, "ulfm: Spawn of rank 2, which is member 2 of the communicator"},
		{"IntercommCreate", func(c *ulfm.Comm) { _, _ = c.IntercommCreate(4, c, 0, 0) }, "ulfm: IntercommCreate of rank 4, want 0 to 3"},
		{"a call after Free", func(c *ulfm.Comm) { d, _ := c.Dup(); d.Free(); _ = d.Barrier() }, "ulfm: Barrier on communicator 0.1, which was freed"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := tryRun(t, machineOf(4), "none", ulfm.Program(test.do))
			var panicked *emu.PanicError
			require.ErrorAs(t, err, &panicked)
			require.Equal(t, test.want, panicked.Value)
		})
	}
}

// Members that call different things wait for each other: one of them could be about to fail.
func TestDifferentAgreementsOfMembersDeadlock(t *testing.T) {
	calls := map[string]func(c *ulfm.Comm){
		"Agree":  func(c *ulfm.Comm) { _, _ = c.Agree(1) },
		"Shrink": func(c *ulfm.Comm) { _, _ = c.Shrink() },
	}
	for mine, call := range calls {
		for other, otherCall := range calls {
			if mine == other {
				continue
			}
			diary := ulfm.NewDiary(2)
			rep, err := tryRun(t, machineOf(2), "none", diary.Program(func(world *ulfm.Comm) {
				if world.Rank() == 0 {
					call(world)
				} else {
					otherCall(world)
				}
			}))
			require.NoError(t, err)
			require.Len(t, rep.Deadlocks, 2)
			require.Equal(t, mine+" on world, waiting for the vote of rank 1, which has called "+other, diary.Waiting(0))
			require.Equal(t, other+" on world, waiting for the decision from rank 0", diary.Waiting(1))
		}
	}
}

func TestAMachineWithoutADetectorIsRefused(t *testing.T) {
	cfg := machineOf(2)
	cfg.Detection = emu.Detection{}
	machine, err := emu.New(cfg)
	require.NoError(t, err)
	var refused [2]error
	_, err = machine.Run(context.Background(), protocols.Program{Main: func(p protocols.Proc) {
		refused[p.Rank()] = ulfm.Run(p, func(*ulfm.Comm) { panic("it runs") })
	}}, emu.Options{})
	require.NoError(t, err)
	require.Equal(t, [2]error{protocols.ErrNoDetector, protocols.ErrNoDetector}, refused)

	_, err = machine.Run(context.Background(), ulfm.Program(func(*ulfm.Comm) {}), emu.Options{})
	require.ErrorContains(t, err, protocols.ErrNoDetector.Error())
}
