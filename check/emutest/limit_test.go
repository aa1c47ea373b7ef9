package emutest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// idle is a rank on which calls do nothing, at an instant.
type idle struct {
	protocols.Proc
	now clock.Time
}

func (i idle) Now() clock.Time                                     { return i.now }
func (idle) Send(int, mailbox.Message)                             {}
func (idle) WaitUntil(clock.Time)                                  {}
func (idle) Recv(mailbox.Want) (from int, m mailbox.Message)       { return 3, mailbox.Message{A: 7} }
func (i idle) Linger(w mailbox.Want) (from int, m mailbox.Message) { return i.Recv(w) }
func (i idle) RecvUntil(w mailbox.Want, _ clock.Time) (from int, m mailbox.Message, ok bool) {
	from, m = i.Recv(w)
	return from, m, true
}

func TestEveryCallThatTakesTimeLooksAtTheLimit(t *testing.T) {
	for name, call := range map[string]func(p protocols.Proc){
		"send":  func(p protocols.Proc) { p.Send(1, mailbox.Message{}) },
		"wait":  func(p protocols.Proc) { p.WaitUntil(5) },
		"recv":  func(p protocols.Proc) { p.Recv(mailbox.Any) },
		"until": func(p protocols.Proc) { p.RecvUntil(mailbox.Any, 5) },
		"stay":  func(p protocols.Proc) { p.Linger(mailbox.Any) },
	} {
		require.NotPanics(t, func() { call(&limited{idle{now: 10}, 10}) }, name)
		require.PanicsWithValue(t, "emutest: the program goes on after the time limit of 10 ticks (see Test.TimeLimit)", func() { call(&limited{idle{now: 11}, 10}) }, name)
	}
}

func TestTheLimitHandsOverWhatIsReceived(t *testing.T) {
	rank := &limited{idle{now: 1}, 10}
	from, m := rank.Recv(mailbox.Any)
	require.Equal(t, [2]int64{3, 7}, [2]int64{int64(from), m.A})
	from, m, ok := rank.RecvUntil(mailbox.Any, 5)
	require.Equal(t, [2]int64{3, 7}, [2]int64{int64(from), m.A})
	require.True(t, ok)
	from, m = rank.Linger(mailbox.Any)
	require.Equal(t, [2]int64{3, 7}, [2]int64{int64(from), m.A})
}
