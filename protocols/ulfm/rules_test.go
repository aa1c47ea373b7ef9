package ulfm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
)

// The rules of the package's documentation, each against those behind it.
//
// Rank 0 does something at t=50. Rank 3 has sent it one message of each sort, with tag 1, and failed,
// which rank 0 knows; rank 1 lives and does nothing. If the run says so, rank 2 has revoked.
func TestTheFirstRuleThatAppliesDecides(t *testing.T) {
	recv := func(from int, tag int64) func(*ulfm.Comm) error {
		return func(c *ulfm.Comm) error { _, err := c.Recv(from, tag); return err }
	}
	recvPart := func(from int, tag int64) func(*ulfm.Comm) error {
		return func(c *ulfm.Comm) error { _, err := c.RecvPart(from, tag); return err }
	}
	irecv := func(from int, tag int64) func(*ulfm.Comm) error {
		return func(c *ulfm.Comm) error { _, err := c.Irecv(from, tag).Wait(); return err }
	}
	probe := func(from int, tag int64) func(*ulfm.Comm) error {
		return func(c *ulfm.Comm) error { _, err := c.Probe(from, tag); return err }
	}
	send := func(to int) func(*ulfm.Comm) error {
		return func(c *ulfm.Comm) error { return c.Send(to, 0, "") }
	}
	sendPart := func(to int) func(*ulfm.Comm) error {
		return func(c *ulfm.Comm) error { return c.SendPart(to, 0, "") }
	}
	self := func(c *ulfm.Comm) error {
		if err := c.Send(0, 5, "note"); err != nil {
			return err
		}
		_, err := c.Recv(0, 5)
		return err
	}
	const any, none = ulfm.AnySource, ulfm.None
	failed := &ulfm.FailedError{Ranks: []int{3}}
	tests := []struct {
		name    string
		revoked bool
		do      func(*ulfm.Comm) error
		want    error
	}{
		{"1 before 3: the part has come", false, recvPart(3, 1), nil},
		{"1 before 5: a message has come", false, recv(any, 1), nil},
		{"1 before 5: a message to probe has come", false, probe(any, 1), nil},
		{"1 before 6: what the failed rank has sent", false, recv(3, 1), nil},
		{"1 before 6: the same for a probe", false, probe(3, 1), nil},

		{"2 before 3: RecvPart", true, recvPart(1, 0), ulfm.ErrRevoked},
		{"2 before 3: SendPart", true, sendPart(1), ulfm.ErrRevoked},
		{"2 before 4: Recv from None", true, recv(none, 0), ulfm.ErrRevoked},
		{"2 before 4: Probe of None", true, probe(none, 0), ulfm.ErrRevoked},
		{"2 before 4: Send to None", true, send(none), ulfm.ErrRevoked},
		{"2 before 4: self", true, self, ulfm.ErrRevoked},
		{"2 before 5: Recv", true, recv(any, 0), ulfm.ErrRevoked},
		{"2 before 5: Probe", true, probe(any, 0), ulfm.ErrRevoked},
		{"2 before 6: Recv", true, recv(3, 0), ulfm.ErrRevoked},
		{"2 before 6: Probe", true, probe(3, 0), ulfm.ErrRevoked},
		{"2 before 6: Send", true, send(3), ulfm.ErrRevoked},
		{"2: what has come and was not received", true, recv(3, 1), ulfm.ErrRevoked},
		{"2: what is only probed", true, probe(3, 1), ulfm.ErrRevoked},

		{"3 before 4: RecvPart from None", false, recvPart(none, 0), failed},
		{"3 before 4: SendPart to None", false, sendPart(none), failed},
		{"3 before 4: RecvPart from itself", false, recvPart(0, 0), failed},
		{"3 before 4: SendPart to itself", false, sendPart(0), failed},
		{"3 before 5: RecvPart from any source", false, recvPart(any, 0), failed},
		{"3: RecvPart from a rank that lives", false, recvPart(1, 0), failed},
		{"3: SendPart to a rank that lives", false, sendPart(1), failed},

		{"4: Recv from None", false, recv(none, 0), nil},
		{"4: Probe of None", false, probe(none, 0), nil},
		{"4: Send to None", false, send(none), nil},
		{"4: self", false, self, nil},

		{"5: Recv", false, recv(any, 0), failed},
		{"5: Irecv", false, irecv(any, 0), ulfm.ErrProcFailedPending},
		{"5: Probe", false, probe(any, 0), failed},

		{"6: Recv", false, recv(3, 0), failed},
		{"6: Probe", false, probe(3, 0), failed},
		{"6: Send", false, send(3), failed},
		{"6: Send to a rank that lives", false, send(1), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got error
			play(t, machineOf(4), "crash:3@after-send2", func(world *ulfm.Comm) {
				switch world.Rank() {
				case 0:
					until(world, 50)
					require.Equal(t, []int{3}, world.GetFailed())
					require.Equal(t, test.revoked, world.Revoked())
					got = test.do(world)
				case 2:
					if test.revoked {
						until(world, 20)
						world.Revoke()
					}
				case 3:
					require.NoError(t, world.Send(0, 1, "data"))
					require.NoError(t, world.SendPart(0, 1, "part"))
				}
			})
			require.Equal(t, test.want, got)
		})
	}
}

func TestAReceiveThatIsCompleteSucceedsOnARevokedCommunicator(t *testing.T) {
	play(t, machineOf(2), "none", func(world *ulfm.Comm) {
		if world.Rank() == 1 {
			require.NoError(t, world.Send(0, 0, "in time"))
			world.Revoke()
			return
		}
		request, other := world.Post(1, 0), world.Post(1, 0)
		until(world, 50)
		require.True(t, world.Revoked())
		got, err := request.Wait()
		require.NoError(t, err)
		require.Equal(t, "in time", got.Payload)
		_, err = other.Wait()
		require.ErrorIs(t, err, ulfm.ErrRevoked)
	})
}

func TestACollectiveNamesAllThatAreKnownToHaveFailed(t *testing.T) {
	play(t, machineOf(4), "crash:1@t0,crash:3@t0", func(world *ulfm.Comm) {
		world.GetFailed()
		_, err := world.RecvPart(3, 0)
		requireFailed(t, err, 1, 3)
		requireFailed(t, world.SendPart(3, 0, ""), 1, 3)
		_, err = world.Recv(3, 0)
		requireFailed(t, err, 3)
	})
}

func TestAcknowledgingDoesNotBringBackCollectives(t *testing.T) {
	play(t, machineOf(3), "crash:2@t0", func(world *ulfm.Comm) {
		world.FailureAck()
		requireFailed(t, world.SendPart(1-world.Rank(), 0, ""), 2)
		_, err := world.RecvPart(1-world.Rank(), 0)
		requireFailed(t, err, 2)
		_, err = world.Create([]int{0, 1})
		requireFailed(t, err, 2)
	})
}

func TestACallThatWaitsFailsWhenItsPeerDoes(t *testing.T) {
	calls := map[string]func(c *ulfm.Comm) error{
		"Recv":             func(c *ulfm.Comm) error { _, err := c.Recv(1, 0); return err },
		"RecvPart":         func(c *ulfm.Comm) error { _, err := c.RecvPart(1, 0); return err },
		"Probe":            func(c *ulfm.Comm) error { _, err := c.Probe(1, 0); return err },
		"Probe any source": func(c *ulfm.Comm) error { _, err := c.Probe(ulfm.AnySource, 0); return err },
		"Agree":            func(c *ulfm.Comm) error { _, err := c.Agree(1); return err },
		"Create":           func(c *ulfm.Comm) error { _, err := c.Create([]int{0, 1}); return err },
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			var at [2]int64
			rep := play(t, machineOf(2), "crash:1@t30", func(world *ulfm.Comm) {
				if world.Rank() == 1 {
					until(world, 100)
				}
				requireFailed(t, call(world), 1)
				at[world.Rank()] = int64(world.Proc().Now())
			})
			require.Equal(t, report.Finished, rep.Ranks[0].Outcome)
			require.EqualValues(t, 30+hop+1, at[0], "as soon as it is known")
		})
	}
}

func TestACallThatWaitsFailsWhenTheCommunicatorIsRevoked(t *testing.T) {
	calls := map[string]func(c *ulfm.Comm) error{
		"Recv":            func(c *ulfm.Comm) error { _, err := c.Recv(1, 0); return err },
		"Recv any source": func(c *ulfm.Comm) error { _, err := c.Recv(ulfm.AnySource, 0); return err },
		"Recv itself":     func(c *ulfm.Comm) error { _, err := c.Recv(0, 0); return err },
		"RecvPart":        func(c *ulfm.Comm) error { _, err := c.RecvPart(1, 0); return err },
		"Probe":           func(c *ulfm.Comm) error { _, err := c.Probe(1, 0); return err },
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			play(t, machineOf(2), "none", func(world *ulfm.Comm) {
				if world.Rank() == 1 {
					until(world, 30)
					world.Revoke()
					return
				}
				require.ErrorIs(t, call(world), ulfm.ErrRevoked)
				require.EqualValues(t, 30+hop+1, world.Proc().Now())
			})
		})
	}
}

func TestAgreeAndShrinkWorkOnARevokedCommunicator(t *testing.T) {
	var created [4]error
	play(t, machineOf(4), "crash:3@t0", func(world *ulfm.Comm) {
		me := world.Rank()
		if me == 1 {
			world.Revoke()
		}
		world.FailureAck()
		flags, err := world.Agree(allBut(me))
		require.NoError(t, err)
		require.Equal(t, allBut(0, 1, 2), flags)
		_, created[me] = world.Create([]int{0, 1, 2})
		smaller, err := world.Shrink()
		require.NoError(t, err)
		require.False(t, smaller.Revoked())
		require.Equal(t, []int{0, 1, 2}, members(smaller))
		require.ErrorIs(t, world.Send(ulfm.None, 0, ""), ulfm.ErrRevoked)
		require.NoError(t, broadcastParts(smaller, 0))
	})
	for _, rank := range []int{0, 1, 2} {
		require.ErrorIs(t, created[rank], ulfm.ErrRevoked)
	}
}

func TestAMessageThatHasComeIsReceivedWhateverHappenedSince(t *testing.T) {
	play(t, machineOf(2), "crash:1@after-send1", func(world *ulfm.Comm) {
		if world.Rank() == 1 {
			require.NoError(t, world.Send(0, 0, "last words"))
			return
		}
		request := world.Post(1, 0)
		until(world, 50) // message and failure are there, and not looked at
		got, err := request.Wait()
		require.NoError(t, err)
		require.Equal(t, "last words", got.Payload)
	})
}

func TestNothingIsReceivedThatComesAfterTheRevocation(t *testing.T) {
	play(t, machineOf(2), "none", func(world *ulfm.Comm) {
		if world.Rank() == 1 {
			require.NoError(t, world.Send(0, 0, "too late"))
			return
		}
		world.Revoke()
		until(world, 50)
		_, err := world.Probe(1, 0)
		require.ErrorIs(t, err, ulfm.ErrRevoked)
		_, err = world.Recv(1, 0)
		require.ErrorIs(t, err, ulfm.ErrRevoked)
	})
}

func TestACallSeesARevocationThatHasCome(t *testing.T) {
	calls := map[string]func(c *ulfm.Comm) error{
		"Send":     func(c *ulfm.Comm) error { return c.Send(1, 0, "") },
		"SendPart": func(c *ulfm.Comm) error { return c.SendPart(1, 0, "") },
		"Recv":     func(c *ulfm.Comm) error { _, err := c.Recv(ulfm.None, 0); return err },
		"Probe":    func(c *ulfm.Comm) error { _, err := c.Probe(ulfm.None, 0); return err },
		"Create":   func(c *ulfm.Comm) error { _, err := c.Create(nil); return err },
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			play(t, machineOf(2), "none", func(world *ulfm.Comm) {
				if world.Rank() == 1 {
					world.Revoke()
				}
				until(world, 50)
				require.ErrorIs(t, call(world), ulfm.ErrRevoked)
			})
		})
	}
}

func TestAfterAgreeCollectivesFailOnAllMembers(t *testing.T) {
	play(t, machineOf(8), "crash:3@before-send1", func(world *ulfm.Comm) {
		if world.Rank() == 7 {
			require.NoError(t, world.SendPart(0, 0, "not known yet"))
		}
		_, err := world.Agree(1)
		requireFailed(t, err, 3)
		requireFailed(t, world.SendPart((world.Rank()+1)%8, 1, ""), 3)
	})
}
