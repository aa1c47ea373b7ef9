package buntinas

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
)

// An answer of a child counts if it is about the present attempt of the present broadcast.
func TestLateAnswersDoNotCount(t *testing.T) {
	const epoch, attempt = 5, 2
	answer := func(kind mailbox.Kind, epoch uint32, attempt int) mailbox.Message {
		return mailbox.Message{Kind: kind, Epoch: epoch, A: int64(attempt) << attemptShift}
	}
	m := &member{Broadcast: &Broadcast{Options: Options{Epoch: epoch}}, attempt: attempt, pending: []int{3, 7}}
	for _, late := range []mailbox.Message{
		answer(Ack, epoch-1, attempt), answer(Nack, epoch-1, attempt), answer(Ack, epoch, attempt-1), answer(Nack, epoch, attempt-1),
	} {
		m.handle(7, late)
		require.Equal(t, []int{3, 7}, m.pending, "%+v", late)
		require.Zero(t, m.answer)
	}
	m.handle(4, answer(Ack, epoch, attempt))
	require.Equal(t, []int{3, 7}, m.pending, "it is no child")
	m.handle(7, answer(Ack, epoch, attempt))
	require.Equal(t, []int{3}, m.pending)
}
