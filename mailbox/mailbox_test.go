package mailbox_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

func TestMailboxHandsOverWhatWasReceivedAndUntilWhen(t *testing.T) {
	var box mailbox.Mailbox[[]mailbox.Message]
	box.Open()
	batch := []mailbox.Message{{A: 1}, {A: 2, Payload: "x"}}
	go box.HandOver(batch, 99)
	received, until, ok := box.Await()
	require.Equal(t, batch, received)
	require.Equal(t, clock.Time(99), until)
	require.True(t, ok)
}

func TestMailboxEndsARankWithoutTime(t *testing.T) {
	var box mailbox.Mailbox[string]
	box.Open()
	go box.End()
	received, until, ok := box.Await()
	require.Zero(t, received)
	require.Zero(t, until)
	require.False(t, ok)
}

// A goroutine may rest at its own copy while the machine prepares the mailbox for the next run.
func TestCopiesOfAnOpenMailboxAreTheSame(t *testing.T) {
	var box mailbox.Mailbox[int]
	box.Open()
	copied := box
	box.Open()
	require.Equal(t, copied.Address(), box.Address(), "what is open stays open")
	go box.HandOver(7, 1)
	received, until, ok := copied.Await()
	require.Equal(t, 7, received)
	require.Equal(t, clock.Time(1), until)
	require.True(t, ok, "one tick is time enough to go on")
}

// A million ranks have one each.
func TestMailboxTakesOneWord(t *testing.T) {
	require.Equal(t, unsafe.Sizeof(uintptr(0)), unsafe.Sizeof(mailbox.Mailbox[[4]string]{}))
}
