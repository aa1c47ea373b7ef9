package guarantee_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

func TestIntegrityWantsASendBeforeEveryReceive(t *testing.T) {
	const why = ": no such message was sent before, or all of them had arrived already"
	lost := receive(4, 2, 1, 0)
	lost.Kind = report.EventLost
	lostSend := send(0, 1, 2, 0)
	lostSend.Kind = report.EventSendLost
	other := receive(4, 2, 1, 0)
	other.A = 9
	kind := receive(4, 2, 1, 0)
	kind.Msg = 3
	for name, c := range map[string]struct {
		run      guarantee.Run
		value    guarantee.Value
		evidence string
	}{
		"nothing happened":          {traced(), unclaimed, "all 0 messages that arrived were sent before"},
		"sent, then received":       {traced(send(0, 1, 2, 0), receive(4, 2, 1, 0)), held, "all 1 messages that arrived were sent before"},
		"sent, then lost":           {traced(send(0, 1, 2, 0), lost), held, "all 1 messages that arrived were sent before"},
		"still under way":           {traced(send(0, 1, 2, 0)), unclaimed, "all 0 messages that arrived were sent before"},
		"to itself":                 {traced(send(0, 2, 2, 0), receive(4, 2, 2, 0)), held, "all 1 messages that arrived were sent before"},
		"twice each":                {traced(send(0, 1, 2, 0), send(1, 1, 2, 0), receive(4, 2, 1, 0), receive(5, 2, 1, 0)), held, "all 2 messages that arrived were sent before"},
		"never sent":                {traced(receive(4, 2, 1, 0)), broken, "t=4 rank 2 receive from 1 kind=0 epoch=0 a=0" + why},
		"its send was lost":         {traced(lostSend, receive(4, 2, 1, 0)), broken, "t=4 rank 2 receive from 1 kind=0 epoch=0 a=0" + why},
		"lost, but never sent":      {traced(lost), broken, "t=4 rank 2 lost from 1 kind=0 epoch=0 a=0" + why},
		"sent once, received twice": {traced(send(0, 1, 2, 0), receive(4, 2, 1, 0), receive(5, 2, 1, 0)), broken, "t=5 rank 2 receive from 1 kind=0 epoch=0 a=0" + why},
		"sent at the same instant":  {traced(send(4, 1, 2, 0), receive(4, 2, 1, 0)), broken, "t=4 rank 2 receive from 1 kind=0 epoch=0 a=0" + why},
		"sent later":                {traced(receive(4, 2, 1, 0), send(5, 1, 2, 0)), broken, "t=4 rank 2 receive from 1 kind=0 epoch=0 a=0" + why},
		"sent to another rank":      {traced(send(0, 1, 3, 0), receive(4, 2, 1, 0)), broken, "t=4 rank 2 receive from 1 kind=0 epoch=0 a=0" + why},
		"sent by another rank":      {traced(send(0, 5, 2, 0), receive(4, 2, 1, 0)), broken, "t=4 rank 2 receive from 1 kind=0 epoch=0 a=0" + why},
		"of another epoch":          {traced(send(0, 1, 2, 7), receive(4, 2, 1, 0)), broken, "t=4 rank 2 receive from 1 kind=0 epoch=0 a=0" + why},
		"with other content":        {traced(send(0, 1, 2, 0), other), broken, "t=4 rank 2 receive from 1 kind=0 epoch=0 a=9" + why},
		"of another kind":           {traced(send(0, 1, 2, 0), kind), broken, "t=4 rank 2 receive from 1 kind=3 epoch=0 a=0" + why},
	} {
		t.Run(name, func(t *testing.T) { requireVerdict(t, c.run, guarantee.Integrity{}, c.value, c.evidence) })
	}
}

// Messages between processes may take less than a tick. What counts is which of the two is first in the list.
func TestIntegrityOfProcessesGoesByTheOrderOfEvents(t *testing.T) {
	for name, c := range map[string]struct {
		run   guarantee.Run
		value guarantee.Value
	}{
		"sent, then received in the same tick": {traced(send(4, 5, 2, 0), receive(4, 2, 5, 0)), held},
		"received, then sent in the same tick": {traced(receive(4, 2, 5, 0), send(4, 5, 2, 0)), broken},
		"never sent":                           {traced(receive(4, 2, 5, 0)), broken},
		"sent once, received twice":            {traced(send(4, 5, 2, 0), receive(4, 2, 5, 0), receive(4, 2, 5, 0)), broken},
	} {
		c.run.Report.Processes = true
		require.Equal(t, c.value, guarantee.Integrity{}.Check(c.run).Value, name)
	}
}

// A protocol cannot break integrity: the machine would have to. So its trace is forged here.
func TestIntegrityCatchesEveryMissingSendAndEveryCopy(t *testing.T) {
	honest := run(t, 8, checked(8), "crash:3,crash:5@t9")
	require.Equal(t, held, guarantee.Integrity{}.Check(honest).Value)
	events := honest.Report.Events
	forged := 0
	for i, e := range events {
		switch e.Kind {
		case report.EventSend:
			honest.Report.Events = slices.Delete(slices.Clone(events), i, i+1)
		case report.EventReceive:
			honest.Report.Events = slices.Insert(slices.Clone(events), i, e)
		default:
			continue
		}
		forged++
		require.Equal(t, broken, guarantee.Integrity{}.Check(honest).Value, "event %d: %v", i, e)
	}
	require.Greater(t, forged, 50)
}

func TestOnlyColouredRanksSendWantsAReceiveBeforeEverySend(t *testing.T) {
	lost := send(1, 1, 2, 0)
	lost.Kind = report.EventSendLost
	for name, c := range map[string]struct {
		run      guarantee.Run
		value    guarantee.Value
		evidence string
	}{
		"the root begins":            {traced(send(0, 0, 1, 0)), held, "1 sends, all by roots or coloured ranks"},
		"passed on":                  {traced(take(4, 1, 0, 0), send(4, 1, 2, 0)), held, "1 sends, all by roots or coloured ranks"},
		"a send that never was":      {traced(lost), unclaimed, "0 sends, all by roots or coloured ranks"},
		"invented":                   {traced(send(4, 1, 2, 0)), broken, "t=4 rank 1 send to 2 kind=0 epoch=0 a=0: it had taken no message of epoch 0 before"},
		"another rank's":             {traced(take(3, 2, 0, 0), send(4, 1, 2, 0)), broken, "t=4 rank 1 send to 2 kind=0 epoch=0 a=0: it had taken no message of epoch 0 before"},
		"only in the mailbox so far": {traced(receive(3, 1, 0, 0), send(4, 1, 2, 0), take(5, 1, 0, 0)), broken, "t=4 rank 1 send to 2 kind=0 epoch=0 a=0: it had taken no message of epoch 0 before"},
		"of the next epoch":          {traced(take(3, 1, 0, 0), send(4, 1, 2, 0), send(5, 1, 2, 1)), broken, "t=5 rank 1 send to 2 kind=0 epoch=1 a=0: it had taken no message of epoch 1 before"},
	} {
		t.Run(name, func(t *testing.T) {
			requireVerdict(t, c.run, guarantee.OnlyColouredRanksSend{}, c.value, c.evidence)
		})
	}
}

// Any ranks may be the roots, and nobody else is one: rank 0 is nothing special.
func TestOnlyRootsMayInventMessages(t *testing.T) {
	const why = ": it had taken no message of epoch 0 before"
	for name, c := range map[string]struct {
		run      guarantee.Run
		roots    []int
		value    guarantee.Value
		evidence string
	}{
		"another root begins":  {traced(send(0, 3, 1, 0)), []int{3}, held, "1 sends, all by roots or coloured ranks"},
		"both roots begin":     {traced(send(0, 3, 1, 0), send(0, 5, 1, 0)), []int{3, 5}, held, "2 sends, all by roots or coloured ranks"},
		"rank 0 passes it on":  {traced(send(0, 3, 0, 0), take(4, 0, 3, 0), send(4, 0, 1, 0)), []int{3}, held, "2 sends, all by roots or coloured ranks"},
		"rank 0 invents":       {traced(send(0, 3, 1, 0), send(1, 0, 2, 0)), []int{3}, broken, "t=1 rank 0 send to 2 kind=0 epoch=0 a=0" + why},
		"without roots at all": {traced(send(1, 0, 2, 0)), nil, broken, "t=1 rank 0 send to 2 kind=0 epoch=0 a=0" + why},
	} {
		t.Run(name, func(t *testing.T) {
			c.run.Roots = c.roots
			requireVerdict(t, c.run, guarantee.OnlyColouredRanksSend{}, c.value, c.evidence)
		})
	}
}

// The ranks of this broadcast do not wait for the message.
func TestOnlyColouredRanksSendCatchesAnInventor(t *testing.T) {
	inventor := protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() > 0 {
			p.RecvUntil(mailbox.Any, 2) // too early: the message takes 4 ticks
		}
		if next := p.Rank() + 1; next < p.Size() {
			p.Send(next, mailbox.Message{})
		}
	}}
	requireVerdict(t, run(t, 4, inventor, "none"), guarantee.OnlyColouredRanksSend{}, broken,
		"t=2 rank 1 send to 2 kind=0 epoch=0 a=0: it had taken no message of epoch 0 before")
}

// A chain of two broadcasts in which rank 2 begins the second before it has it.
func TestOnlyColouredRanksSendTellsBroadcastsApart(t *testing.T) {
	hasty := fromRoot(func(p protocols.Proc) {
		for epoch := range uint32(2) {
			if p.Rank() > 0 && (p.Rank() != 2 || epoch == 0) {
				protocols.RecvEpoch(p, mailbox.Any, epoch)
			}
			if next := p.Rank() + 1; next < p.Size() {
				p.Send(next, mailbox.Message{Epoch: epoch})
			}
		}
	})
	requireVerdict(t, run(t, 4, hasty, "none"), guarantee.OnlyColouredRanksSend{}, broken,
		"t=9 rank 2 send to 3 kind=0 epoch=1 a=0: it had taken no message of epoch 1 before")
}
