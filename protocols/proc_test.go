package protocols_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// plain is a Proc of a machine that offers nothing beyond the contract. It has received these messages, from ranks 0, 1 and so on.
type plain struct {
	protocols.Proc
	received []mailbox.Message
}

func (p *plain) Recv(want mailbox.Want) (from int, m mailbox.Message) {
	for from, m := range p.received {
		if m.Kind != taken && want.Accepts(from, m.Kind, m.Epoch) {
			p.received[from].Kind = taken
			return from, m
		}
	}
	panic("there is nothing to receive")
}

// taken marks messages that have been received.
const taken mailbox.Kind = 99

// rich is one that offers everything.
type rich struct {
	plain
	detector protocols.Detector
}

func (r *rich) Detector() protocols.Detector { return r.detector }

func (r *rich) Life() int { return 3 }

func (r *rich) Linger(mailbox.Want) (from int, m mailbox.Message) { return 7, mailbox.Message{A: 5} }

// detector is one of which nobody asks anything.
type detector struct{ protocols.Detector }

func TestWhatAMachineOffersIsFound(t *testing.T) {
	r := &rich{detector: &detector{}}
	found, err := protocols.DetectorOf(r)
	require.NoError(t, err)
	require.Same(t, r.detector, found)
	require.Equal(t, 3, protocols.LifeOf(r))
	require.True(t, protocols.Lingers(r))
	from, m := protocols.Linger(r, mailbox.Any)
	require.Equal(t, 7, from)
	require.Equal(t, mailbox.Message{A: 5}, m)
}

func TestWhatAMachineDoesNotOfferIsMissed(t *testing.T) {
	for _, p := range []protocols.Proc{&plain{}, &rich{}} {
		found, err := protocols.DetectorOf(p)
		require.ErrorIs(t, err, protocols.ErrNoDetector)
		require.Nil(t, found)
	}
	require.Zero(t, protocols.LifeOf(&plain{}))
	require.False(t, protocols.Lingers(&plain{}))
	require.PanicsWithValue(t, protocols.ErrNoLinger, func() { protocols.Linger(&plain{}, mailbox.Any) })
}

// Messages of earlier operations are dropped, later ones stay.
func TestAnOperationReceivesItsOwnMessages(t *testing.T) {
	p := &plain{received: []mailbox.Message{{Epoch: 5}, {Epoch: 3}, {Epoch: 4, Kind: 1}, {Epoch: 4, A: 8}, {Epoch: 4, A: 9}}}
	from, m := protocols.RecvEpoch(p, mailbox.OfKind(0), 4)
	require.Equal(t, 3, from)
	require.EqualValues(t, 8, m.A)
	from, m = protocols.RecvEpoch(p, mailbox.OfKind(0), 5)
	require.Equal(t, 0, from)
	require.EqualValues(t, 5, m.Epoch)
	require.Equal(t, []mailbox.Kind{taken, taken, 1, taken, 0}, kinds(p.received))
}

func kinds(messages []mailbox.Message) (all []mailbox.Kind) {
	for _, m := range messages {
		all = append(all, m.Kind)
	}
	return all
}

func TestCallsOfADetectorAreAboutWhatExists(t *testing.T) {
	for _, rank := range []int{0, 3} {
		require.NotPanics(t, func() { protocols.CheckTarget("Watch", rank, 4) })
	}
	for _, rank := range []int{-1, 4} {
		require.Panics(t, func() { protocols.CheckTarget("Watch", rank, 4) })
	}
	require.PanicsWithValue(t, "protocols: Watch of rank 4, want 0 to 3", func() { protocols.CheckTarget("Watch", 4, 4) })
	require.NotPanics(t, func() { protocols.CheckNumber("Known", 0) })
	require.PanicsWithValue(t, "protocols: Known of failure -1, want 0 or more", func() { protocols.CheckNumber("Known", -1) })
}
