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
		{"SendPart of a tag", func(c *ulfm.Comm) { _ = c.SendPart(1, -7, "") }, "ulfm: Send of tag -7, want 0 or more"},
		{"Recv from a rank too low", func(c *ulfm.Comm) { _, _ = c.Recv(-3, 0) }, "ulfm: Recv of rank -3, want 0 to 3"},
		{"Recv of a tag", func(c *ulfm.Comm) { _, _ = c.Recv(1, -2) }, "ulfm: Recv of tag -2, want 0 or more"},
		{"Post from a rank too high", func(c *ulfm.Comm) { c.Post(9, 0) }, "ulfm: Recv of rank 9, want 0 to 3"},
		{"RecvPart of a tag", func(c *ulfm.Comm) { _, _ = c.RecvPart(1, -2) }, "ulfm: Recv of tag -2, want 0 or more"},
		{"Probe of a rank too high", func(c *ulfm.Comm) { _, _ = c.Probe(4, 0) }, "ulfm: Probe of rank 4, want 0 to 3"},
		{"Probe of a tag", func(c *ulfm.Comm) { _, _ = c.Probe(1, -2) }, "ulfm: Probe of tag -2, want 0 or more"},
		{"Wait after Cancel", func(c *ulfm.Comm) { r := c.Post(1, 0); r.Cancel(); _, _ = r.Wait() }, "ulfm: Wait for a receive that was given up"},
		{"MachineRank", func(c *ulfm.Comm) { c.MachineRank(-1) }, "ulfm: MachineRank of rank -1, want 0 to 3"},
		{"Create with a rank too high", func(c *ulfm.Comm) { _, _ = c.Create([]int{0, 4}) }, "ulfm: Create of rank 4, want 0 to 3"},
		{"Create out of order", func(c *ulfm.Comm) { _, _ = c.Create([]int{2, 1}) }, "ulfm: Create of ranks [2 1], want them in ascending order"},
		{"Create with a rank twice", func(c *ulfm.Comm) { _, _ = c.Create([]int{1, 1}) }, "ulfm: Create of ranks [1 1], want them in ascending order"},
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

func TestDifferentAgreementsOfMembersPanic(t *testing.T) {
	calls := map[string]func(c *ulfm.Comm){
		"Agree":  func(c *ulfm.Comm) { _, _ = c.Agree(1) },
		"Shrink": func(c *ulfm.Comm) { _, _ = c.Shrink() },
		"Create": func(c *ulfm.Comm) { _, _ = c.Create(nil) },
	}
	for mine, call := range calls {
		for other, otherCall := range calls {
			if mine == other {
				continue
			}
			_, err := tryRun(t, machineOf(2), "none", ulfm.Program(func(world *ulfm.Comm) {
				if world.Rank() == 0 {
					call(world)
				} else {
					otherCall(world)
				}
			}))
			var panicked *emu.PanicError
			require.ErrorAs(t, err, &panicked)
			require.Equal(t, "ulfm: "+mine+" meets "+other+" on the same communicator: members must call them in the same order", panicked.Value)
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
