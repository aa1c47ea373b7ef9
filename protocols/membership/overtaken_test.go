package membership_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
)

// told is a message that somebody sends to rank 1.
type told struct {
	at      clock.Time
	from    int
	kind    mailbox.Kind
	changes membership.Changes
}

// play has rank 1 of seven run the service, and all others say no more than they are told to. It
// returns what rank 1 sends.
func play(t *testing.T, logp clock.LogP, s *membership.Service, script ...told) (sent []report.Event) {
	machine, err := emu.New(emu.Config{LogP: logp, Trace: emu.TraceEvents})
	require.NoError(t, err)
	program := protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 1 {
			s.Program().Main(p)
			return
		}
		for _, m := range script {
			if m.from == p.Rank() {
				p.WaitUntil(m.at)
				p.Send(1, mailbox.Message{Kind: m.kind, Epoch: m.changes.Digest(), Payload: string(m.changes)})
			}
		}
	}}
	rep, err := machine.Run(context.Background(), program, emu.Options{})
	require.NoError(t, err)
	for _, e := range rep.Events {
		if e.Kind == report.EventSend && e.Rank == 1 {
			sent = append(sent, e)
		}
	}
	return sent
}

// answers is what rank 1 sends before anything can have been waited for too long.
func answers(t *testing.T, script ...told) []report.Event {
	s, err := membership.New(7, asked(papers(7), 2))
	require.NoError(t, err)
	return slices.DeleteFunc(play(t, papers(7), s, script...), func(e report.Event) bool { return e.Time >= 30 })
}

// gone is a group that has lost some ranks.
func gone(ranks ...int) (c membership.Changes) {
	for _, rank := range ranks {
		c = c.With(rank, 1)
	}
	return c
}

// send is what is of interest about a message.
type send struct {
	to      int
	kind    mailbox.Kind
	changes membership.Changes
}

func requireSends(t *testing.T, got []report.Event, want ...send) {
	t.Helper()
	var sends []send
	for i, e := range got {
		s := send{to: e.Peer, kind: e.Msg}
		if i < len(want) && want[i].changes.Digest() == e.Epoch {
			s.changes = want[i].changes
		}
		sends = append(sends, s)
	}
	require.Equal(t, want, sends)
}

// A rank that is busy with a view change when a newer one comes acknowledges the first: who waits
// for that must not think that nobody is there.
func TestViewChangeThatIsOvertakenIsAcknowledged(t *testing.T) {
	got := answers(t, told{0, 0, membership.FailedNode, gone(6)}, told{12, 0, membership.FailedNode, gone(5, 6)})
	requireSends(t, got,
		send{3, membership.FailedNode, gone(6)}, send{4, membership.FailedNode, gone(6)},
		send{0, membership.FailureAck, gone(6)},
		send{3, membership.FailedNode, gone(5, 6)}, send{4, membership.FailedNode, gone(5, 6)},
	)
}

// One that comes too late is acknowledged, and not handed on: it has nothing new.
func TestViewChangeThatComesTooLateIsAcknowledged(t *testing.T) {
	got := answers(t, told{0, 0, membership.FailedNode, gone(5, 6)}, told{12, 0, membership.FailedNode, gone(6)})
	requireSends(t, got,
		send{3, membership.FailedNode, gone(5, 6)}, send{4, membership.FailedNode, gone(5, 6)},
		send{0, membership.FailureAck, gone(6)},
	)
}

// A view change that leaves out what the rank's view has is handed on, but the view stays.
func TestViewChangeThatKnowsLessIsHandedOn(t *testing.T) {
	got := answers(t, told{0, 0, membership.FailedNode, gone(3, 6)}, told{12, 2, membership.FailedNode, gone(4, 5)})
	requireSends(t, got,
		send{4, membership.FailedNode, gone(3, 6)},
		send{0, membership.FailureAck, gone(3, 6)},
		send{3, membership.FailedNode, gone(4, 5)},
		send{2, membership.FailureAck, gone(4, 5)}, // rank 3 is known to have failed
	)
}

// What comes from the root need not be reported to it.
func TestRootIsNotToldWhatItHasTold(t *testing.T) {
	got := answers(t, told{0, 0, membership.FailedNode, gone(3, 4, 6)}, told{12, 2, membership.FailedNode, gone(5)})
	requireSends(t, got,
		send{0, membership.FailureAck, gone(3, 4, 6)},
		send{3, membership.FailedNode, gone(5)}, send{4, membership.FailedNode, gone(5)},
		send{2, membership.FailureAck, gone(5)},
	)
}

// A rank that becomes the root acknowledges what it was busy with: the old root may be alive, and
// hears that it is not the root any more.
func TestNewRootBreaksOffWhatTheOldOneHasBegun(t *testing.T) {
	got := answers(t, told{0, 0, membership.FailedNode, gone(6)}, told{12, 5, membership.RootFailure, gone(0)})
	requireSends(t, got,
		send{3, membership.FailedNode, gone(6)}, send{4, membership.FailedNode, gone(6)},
		send{5, membership.FailureDetAck, gone(0)},
		send{0, membership.FailureAck, gone(6)},
		send{2, membership.RootDead, gone(0, 6)}, send{3, membership.RootDead, gone(0, 6)}, send{4, membership.RootDead, gone(0, 6)},
	)
}
