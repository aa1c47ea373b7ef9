package statemachine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/statemachine"
	"github.com/mangrove-emu/mangrove/report"
)

// script is a machine that wants one thing after the other, notes when it is told to go on, and ends with the last.
type script struct {
	p    protocols.Proc
	todo []statemachine.Ready
}

func (s *script) Step(int, mailbox.Message) {}
func (s *script) Tick()                     {}
func (s *script) Advance()                  { s.p.Step("advance"); s.todo = s.todo[1:] }
func (s *script) Ready() (statemachine.Ready, bool) {
	ready := s.todo[0]
	ready.Stop = len(s.todo) == 1
	return ready, true
}

// A machine may want to be safe what it wrote before, and what is forgotten is not needed only when that is safe which was written in its place.
func TestWhatAMachineWantsIsDoneInItsOrder(t *testing.T) {
	letter := []statemachine.Letter{{To: 0}}
	old, recent := []statemachine.Record{{Name: "old"}}, []statemachine.Record{{Name: "new"}}
	for name, c := range map[string]struct {
		todo []statemachine.Ready
		want []string
	}{
		"a sync of its own":      {[]statemachine.Ready{{Write: old}, {Sync: true, Send: letter}}, []string{"write old", "advance", "sync", "send", "advance"}},
		"forgotten without sync": {[]statemachine.Ready{{Write: old}, {Write: recent, Send: letter, Forget: []string{"old"}}}, []string{"write old", "advance", "write new", "sync", "send", "advance", "delete old"}},
	} {
		rep := runOn(t, 1, "none", func(p protocols.Proc) { statemachine.Run(p, &script{p, c.todo}, statemachine.Options{}) })
		var got []string
		for _, e := range rep.Events {
			switch e.Kind {
			case report.EventStep:
				got = append(got, e.Step)
			case report.EventWrite, report.EventDelete:
				got = append(got, e.Kind.String()+" "+e.Step)
			case report.EventSync, report.EventSend:
				got = append(got, e.Kind.String())
			}
		}
		require.Equal(t, c.want, got, name)
	}
}
