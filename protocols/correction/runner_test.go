package correction_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/report"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var machine = clock.LogP{Ranks: 12, Latency: 2, Overhead: 1}

// one runs a correction on rank 5 alone, which has got msg from the given rank. prepare is
// run on the other ranks. It returns whom rank 5 sends to, and what is left in its mailbox.
func one(t *testing.T, c correction.Correction, from int, msg mailbox.Message, prepare func(p protocols.Proc)) (sends []int, left []mailbox.Message) {
	t.Helper()
	runner, err := c.On(correction.Ring{Size: machine.Ranks})
	require.NoError(t, err)
	m, err := emu.New(emu.Config{LogP: machine, Trace: emu.TraceEvents})
	require.NoError(t, err)
	rep, err := m.Run(context.Background(), protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() != 5 {
			prepare(p)
			return
		}
		p.WaitUntil(20) // all that others have sent is there
		runner.Run(p, from, msg)
		for {
			_, m, ok := p.Poll(mailbox.Any)
			if !ok {
				return
			}
			left = append(left, m)
		}
	}}, emu.Options{})
	require.NoError(t, err)
	for _, e := range rep.Events {
		if e.Kind == report.EventSend && e.Rank == 5 {
			sends = append(sends, e.Peer)
		}
	}
	return sends, left
}

func silent(protocols.Proc) {}

func failureProof(t *testing.T, f int) *correction.FailureProof {
	t.Helper()
	c, err := correction.NewFailureProof(machine, f)
	require.NoError(t, err)
	return c
}

// What belongs to a later operation stays in the mailbox, whatever the correction.
func TestLaterEpochsAreLeftAlone(t *testing.T) {
	for _, c := range []correction.Correction{
		correction.Checked{}, &correction.Opportunistic{Messages: 4}, &correction.Opportunistic{Messages: 4, Optimized: true},
		correction.NewDelayed(machine, 3), failureProof(t, 1), correction.None{},
	} {
		later := mailbox.Message{Kind: correction.Leftward, Epoch: 8}
		_, left := one(t, c, 5, mailbox.Message{Epoch: 7}, func(p protocols.Proc) {
			if p.Rank() == 6 {
				p.Send(5, mailbox.Message{Kind: correction.Leftward, Epoch: 6, A: 666}) // late
				p.Send(5, later)
			}
		})
		require.Contains(t, left, later, "%v", c)
	}
}

// A late message of an earlier operation does not count as heard.
func TestEarlierEpochsAreNotHeard(t *testing.T) {
	late := func(p protocols.Proc) {
		if p.Rank() == 6 {
			p.Send(5, mailbox.Message{Kind: correction.Leftward, Epoch: 6})
		}
	}
	for _, c := range []correction.Correction{
		correction.Checked{}, &correction.Opportunistic{Messages: 4, Optimized: true}, correction.NewDelayed(machine, 3),
	} {
		want, _ := one(t, c, 5, mailbox.Message{Epoch: 7}, silent)
		got, left := one(t, c, 5, mailbox.Message{Epoch: 7}, late)
		require.Equal(t, want, got, "%v", c)
		require.Empty(t, left, "%v", c)
	}
}

// nobodyElse is the payload of a failure-proof correction message that tells of no other ranks.
const nobodyElse = "\x00"

// waiting lets a failure-proof correction of f=1 do the part of rank 5 in epoch 7, of which it
// has heard from rank 4. While it waits for news there comes a message of the given epoch from
// rank 6, which knows of rank 7. It returns whom rank 5 sends SOS to.
func waiting(t *testing.T, takesPart bool, epoch uint32) (distress []int) {
	t.Helper()
	runner, err := failureProof(t, 1).On(correction.Ring{Size: machine.Ranks})
	require.NoError(t, err)
	m, err := emu.New(emu.Config{LogP: machine, Trace: emu.TraceEvents})
	require.NoError(t, err)
	rep, err := m.Run(context.Background(), protocols.Program{Initiators: []int{5, 6}, Main: func(p protocols.Proc) {
		switch p.Rank() {
		case 5:
			first := mailbox.Message{Kind: correction.Rightward, Epoch: 7, Payload: nobodyElse}
			if takesPart {
				first.Payload = correction.WithRanks([]int{3}, "")
				runner.Run(p, 4, first)
			} else {
				runner.(correction.Wrapped).Reached(p, 4, first)
			}
		case 6:
			p.WaitUntil(50) // rank 5 has nobody left to send to
			p.Send(5, mailbox.Message{Kind: correction.Leftward, Epoch: epoch, Payload: correction.WithRanks([]int{7}, "")})
		}
	}}, emu.Options{})
	require.NoError(t, err)
	for _, e := range rep.Events {
		if e.Kind == report.EventSend && e.Rank == 5 && e.Msg == correction.SOS {
			distress = append(distress, e.Peer)
		}
	}
	return distress
}

// News is what belongs to the operation. A late message of an earlier one, which comes while a
// rank waits, tells it nothing, and it sends SOS in the end.
func TestEarlierEpochsAreNoNewsToFailureProofRanks(t *testing.T) {
	everybodyElse := []int{6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4}
	for _, takesPart := range []bool{true, false} {
		require.Empty(t, waiting(t, takesPart, 7), "takes part: %t", takesPart)
		require.Equal(t, everybodyElse, waiting(t, takesPart, 6), "takes part: %t", takesPart)
	}
}

// A rank that a correction message has reached first, and that takes part, has heard that
// message.
func TestTheFirstMessageCountsAsHeard(t *testing.T) {
	fromRight := mailbox.Message{Kind: correction.Leftward}
	fromLeft := mailbox.Message{Kind: correction.Rightward}
	around := []int{4, 6, 3, 7, 2, 8, 1, 9, 0, 10, 11, 11}
	for _, c := range []struct {
		name       string
		correction correction.Correction
		from       int
		msg        mailbox.Message
		want       []int
	}{
		{"checked, nothing heard", correction.Checked{}, 5, mailbox.Message{}, around},
		{"checked, right neighbour", correction.Checked{}, 6, fromRight, []int{4, 6, 3, 2, 1, 0, 11, 10, 9, 8, 7, 6}},
		{"checked, left neighbour", correction.Checked{}, 4, fromLeft, []int{4, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4}},
		{"optimized, right neighbour", &correction.Opportunistic{Messages: 6, Optimized: true}, 6, fromRight, []int{2}},
		{"optimized, two to the left", &correction.Opportunistic{Messages: 6, Optimized: true}, 3, fromLeft, []int{7, 8}},
		{"opportunistic", &correction.Opportunistic{Messages: 6}, 6, fromRight, []int{6, 4, 7, 3, 8, 2}},
		{"opportunistic, to the left", &correction.Opportunistic{Messages: 3, Direction: correction.LeftOnly}, 5, mailbox.Message{}, []int{4, 3, 2}},
		{"opportunistic, to the right", &correction.Opportunistic{Messages: 3, Direction: correction.RightOnly}, 5, mailbox.Message{}, []int{6, 7, 8}},
		{"opportunistic, one more to the right", &correction.Opportunistic{Messages: 3}, 5, mailbox.Message{}, []int{6, 4, 7}},
		{"optimized to the left", &correction.Opportunistic{Messages: 4, Direction: correction.LeftOnly, Optimized: true}, 7, fromRight, []int{2, 1}}, // as far as 7-4
		{"cautious, heard from the right", &correction.Opportunistic{Messages: 4, Optimized: true, Cautious: true}, 6, fromRight, []int{6, 4, 7, 3}},
		{"cautious, heard from the left", &correction.Opportunistic{Messages: 4, Optimized: true, Cautious: true}, 4, fromLeft, []int{7}},
		{"delayed, nothing heard", correction.NewDelayed(machine, 3), 5, mailbox.Message{}, []int{4, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4}},
		{"delayed, the right lives", correction.NewDelayed(machine, 3), 6, fromRight, []int{4}},
		{"delayed, the left searches", correction.NewDelayed(machine, 3), 2, fromLeft, []int{4, 2, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := one(t, c.correction, c.from, c.msg, silent)
			require.Equal(t, c.want, got)
		})
	}
}

// A rank that searches to the right stops at the first answer, and one that stays answers.
func TestDelayedRanksAnswer(t *testing.T) {
	sends, _ := one(t, correction.NewDelayed(machine, 3), 5, mailbox.Message{}, func(p protocols.Proc) {
		if p.Rank() == 2 {
			p.WaitUntil(45) // rank 5 has finished its own search and stays
			p.Send(5, mailbox.Message{Kind: correction.Rightward})
		}
	})
	require.Equal(t, 2, sends[len(sends)-1])
}

// A rank alone goes round both ways, waits for news in vain, and sends SOS.
func TestFailureProofRankAloneSendsSOS(t *testing.T) {
	sends, _ := one(t, failureProof(t, 1), 5, mailbox.Message{}, silent)
	around := []int{4, 6, 3, 7, 2, 8, 1, 9, 0, 10, 11, 11, 10, 0, 9, 1, 8, 2, 7, 3, 6, 4}
	distress := []int{6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4}
	require.Equal(t, append(around, distress...), sends)
}

// Corrected Trees begin on the left, Corrected Gossip on the right.
func TestTheFirstMessageGoesToTheSideThatIsAskedFor(t *testing.T) {
	proof := *failureProof(t, 1)
	for _, c := range []struct {
		left, right correction.Correction
	}{
		{correction.Checked{}, correction.Checked{RightFirst: true}},
		{&proof, &correction.FailureProof{Failures: 1, Timeout: proof.Timeout, RightFirst: true}},
	} {
		require.Equal(t, []int{4, 6, 3, 7}, firstSends(t, c.left), "%v", c.left)
		require.Equal(t, []int{6, 4, 7, 3}, firstSends(t, c.right), "%v", c.right)
	}
}

// firstSends is whom rank 5 sends its first four messages to if it hears nothing.
func firstSends(t *testing.T, c correction.Correction) (to []int) {
	t.Helper()
	runner, err := c.On(correction.Ring{Size: machine.Ranks})
	require.NoError(t, err)
	m, err := emu.New(emu.Config{LogP: machine, Trace: emu.TraceEvents})
	require.NoError(t, err)
	rep, err := m.Run(context.Background(), protocols.Program{Initiators: []int{5}, Main: func(p protocols.Proc) {
		if p.Rank() == 5 {
			runner.Run(p, 5, mailbox.Message{})
		}
	}}, emu.Options{})
	require.NoError(t, err)
	for _, e := range rep.Events {
		if e.Kind == report.EventSend && len(to) < 4 {
			to = append(to, e.Peer)
		}
	}
	return to
}
