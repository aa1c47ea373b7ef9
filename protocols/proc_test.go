package protocols_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// plain is a Proc of a machine without a failure detector. It has received these messages, from ranks 0, 1 and so on.
type plain struct {
	protocols.Proc
	received []mailbox.Message
}

func (p *plain) Detector() protocols.Detector { return nil }

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

// rich is one of a machine that has a detector, in its fourth life.
type rich struct {
	plain
	detector protocols.Detector
}

func (r *rich) Detector() protocols.Detector { return r.detector }

func (r *rich) Life() int { return 3 }

func (r *rich) Linger(want mailbox.Want) (from int, m mailbox.Message) {
	from, _ = want.Sender()
	return from, mailbox.Message{A: 5}
}

// detector is one of which nobody asks anything.
type detector struct{ protocols.Detector }

func TestADetectorIsFoundOrMissed(t *testing.T) {
	r := &rich{detector: &detector{}}
	found, err := protocols.DetectorOf(r)
	require.NoError(t, err)
	require.Same(t, r.detector, found)
	found, err = protocols.DetectorOf(&plain{})
	require.ErrorIs(t, err, protocols.ErrNoDetector)
	require.Nil(t, found)
}

func TestFormerSpellingsAskTheRank(t *testing.T) {
	require.Equal(t, 3, protocols.LifeOf(&rich{}))
	from, m := protocols.Linger(&rich{}, mailbox.From(7))
	require.Equal(t, 7, from)
	require.Equal(t, mailbox.Message{A: 5}, m)
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
