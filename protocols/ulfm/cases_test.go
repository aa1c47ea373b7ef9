package ulfm_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
)

// The cases that decide whether this is user-level failure mitigation, each with a schedule that
// makes it happen and a look at the trace that it did. The tree of 8 ranks: 0 has 4, 2 and 1 below
// it, 4 has 6 and 5, 6 has 7, 2 has 3.

// agreed is what the ranks of a run have seen of one agreement.
type agreed struct {
	flags []int64
	errs  []error
}

// agreeOnce runs one agreement in which each rank votes with all bits but its own; it enters at
// the instant given for it, or at once.
func agreeOnce(t *testing.T, cfg emu.Config, schedule string, enter map[int]clock.Time) (agreed, *report.Report) {
	t.Helper()
	seen := agreed{make([]int64, cfg.Ranks), make([]error, cfg.Ranks)}
	rep := play(t, cfg, schedule, func(world *ulfm.Comm) {
		me := world.Rank()
		until(world, enter[me])
		seen.flags[me], seen.errs[me] = world.Agree(allBut(me))
		world.Proc().Step("agreed")
	})
	return seen, rep
}

// requireSame wants all live ranks to have seen this; failed are the ranks that the error names.
func (seen agreed) requireSame(t *testing.T, rep *report.Report, flags int64, failed ...int) {
	t.Helper()
	for _, rank := range live(rep) {
		require.Equal(t, flags, seen.flags[rank], "rank %d", rank)
		if failed == nil {
			require.NoError(t, seen.errs[rank], "rank %d", rank)
		} else {
			requireFailed(t, seen.errs[rank], failed...)
		}
	}
}

func TestSurvivorsAdoptADecisionThatReachedOneChildOfADeadRoot(t *testing.T) {
	seen, rep := agreeOnce(t, machineOf(8), "crash:0@after-send1", nil)
	require.Equal(t, []int{4}, sends(rep, 0, "decision"))
	require.Equal(t, []int{1, 2, 3, 4, 5, 6, 7}, live(rep))
	seen.requireSame(t, rep, allBut(0, 1, 2, 3, 4, 5, 6, 7))
}

func TestSurvivorsMayDecideOtherwiseThanTheDead(t *testing.T) {
	t.Run("root dies before it tells anybody", func(t *testing.T) {
		seen, rep := agreeOnce(t, machineOf(8), "crash:0@before-send1", nil)
		require.Equal(t, []int{1, 2, 4}, sorted(votersFor(rep, 0)), "all votes were there: it had decided")
		require.Empty(t, sends(rep, 0, "decision"))
		seen.requireSame(t, rep, allBut(1, 2, 3, 4, 5, 6, 7), 0)
	})
	// The tree of 3 ranks: 0 has 2 and 1 below it.
	t.Run("a rank returns with the decision, acts on it and dies", func(t *testing.T) {
		seen, rep := agreeOnce(t, machineOf(3), "crash:0@after-send1,crash:2@step:agreed", nil)
		require.Equal(t, []int{2}, sends(rep, 0, "decision"))
		require.Equal(t, []int{1}, live(rep))
		require.NoError(t, seen.errs[2])
		require.Equal(t, allBut(0, 1, 2), seen.flags[2], "what the dead rank acted on")
		requireFailed(t, seen.errs[1], 0, 2)
		require.Equal(t, allBut(1), seen.flags[1], "what the survivor goes on with")
	})
}

// votersFor are the ranks whose votes a rank has received.
func votersFor(rep *report.Report, rank int) (voters []int) {
	for _, e := range rep.Events {
		if e.Kind == report.EventTake && e.Rank == rank && ulfm.KindName(e.Msg) == "vote" {
			voters = append(voters, e.Peer)
		}
	}
	return voters
}

func TestTheNextRootMayDieWhileItAsksTwiceInARow(t *testing.T) {
	tests := []struct {
		name, root string
		told       []int // by rank 0
		flags      int64
		failed     []int
	}{
		{"no decision", "crash:0@before-send1", nil, allBut(3, 4, 5, 6, 7), []int{0, 1, 2}},
		{"a decision that one rank has", "crash:0@after-send1", []int{4}, allBut(0, 1, 2, 3, 4, 5, 6, 7), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			// Both have voted by their first send; rank 2 votes again, for the round of rank 1.
			seen, rep := agreeOnce(t, machineOf(8), test.root+",crash:1@after-send2,crash:2@after-send3", nil)
			require.Equal(t, test.told, sends(rep, 0, "decision"))
			require.Len(t, sends(rep, 1, "question"), 1)
			require.Len(t, sends(rep, 2, "question"), 1)
			require.NotEmpty(t, sends(rep, 3, "question"))
			seen.requireSame(t, rep, test.flags, test.failed...)
		})
	}
}

func TestAcknowledgedSetsThatDifferAreReportedAndThenEqual(t *testing.T) {
	const lost3, lost5, later = 10, 50, 60 // when they crash; everybody else enters later
	var before, after [6][]int
	var rounds [6]int
	var first [6]error
	play(t, machineOf(6), fmt.Sprintf("crash:3@t%d,crash:5@t%d", lost3, lost5), func(world *ulfm.Comm) {
		me := world.Rank()
		switch me {
		case 0: // acknowledges before rank 5 fails
			until(world, lost3+hop)
			world.FailureAck()
		case 1, 4: // in the order in which it happened
			until(world, later)
			world.FailureAck()
		case 2: // one after the other
			until(world, later)
			require.Equal(t, 1, world.AckFailed(1))
			require.Equal(t, []int{3}, world.GetAcked())
			require.Equal(t, 2, world.AckFailed(2))
		default:
			until(world, later)
		}
		before[me] = world.GetAcked()
		until(world, later)
		_, first[me] = world.Agree(1)
		for err := first[me]; err != nil; rounds[me]++ {
			world.FailureAck()
			_, err = world.Agree(1)
		}
		after[me] = world.GetAcked()
	})
	require.Equal(t, [6][]int{{3}, {3, 5}, {3, 5}, nil, {3, 5}, nil}, before)
	require.Equal(t, [6][]int{{3, 5}, {3, 5}, {3, 5}, nil, {3, 5}, nil}, after)
	for _, rank := range []int{0, 1, 2, 4} {
		requireFailed(t, first[rank], 5)
		require.Equal(t, 1, rounds[rank])
	}
}

func TestADeadRanksVoteThatItsParentHasIsTheSameForAll(t *testing.T) {
	const late = 100
	tests := []struct {
		name     string
		schedule string
		enter    map[int]clock.Time
		failed   []int
	}{
		{"nobody knows before all have voted", "crash:5@after-send1", map[int]clock.Time{7: hop}, nil},
		{"its parent waits for one who knows", "crash:5@after-send1", map[int]clock.Time{7: late}, []int{5}},
		{"its parent is late itself", "crash:5@after-send1", map[int]clock.Time{4: late}, []int{5}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			seen, rep := agreeOnce(t, machineOf(8), test.schedule, test.enter)
			require.Equal(t, []int{4}, sends(rep, 5, "vote"))
			require.Contains(t, votersFor(rep, 4), 5)
			require.Equal(t, report.Crashed, rep.Ranks[5].Outcome)
			require.Less(t, rep.Ranks[5].Exit, firstSend(rep, 4), "it died before its parent sent anything")
			seen.requireSame(t, rep, allBut(0, 1, 2, 3, 4, 5, 6, 7), test.failed...)
		})
	}
}

// firstSend is when a rank has begun to send for the first time.
func firstSend(rep *report.Report, rank int) clock.Time {
	for _, e := range rep.Events {
		if e.Kind == report.EventSend && e.Rank == rank {
			return e.Time
		}
	}
	return clock.Never
}

func TestAFailureFreesAllWhoAreInACollective(t *testing.T) {
	// First a broadcast down the tree, then a message along the chain from rank 7 to rank 0.
	collectives := func(world *ulfm.Comm, revoke bool) (done int, err error) {
		defer func() {
			if revoke && errors.Is(err, ulfm.ErrProcFailed) {
				world.Revoke()
			}
		}()
		if err := broadcastParts(world, 1); err != nil {
			return 0, err
		}
		if above := world.Rank() + 1; above < world.Size() {
			if _, err := world.RecvPart(above, 2); err != nil {
				return 1, err
			}
		}
		if below := world.Rank() - 1; below >= 0 {
			if err := world.SendPart(below, 2, ""); err != nil {
				return 1, err
			}
		}
		return 2, nil
	}
	run := func(revoke bool) (done [8]int, errs [8]error) {
		rep := play(t, machineOf(8), "crash:4@t1", func(world *ulfm.Comm) {
			me := world.Rank()
			done[me] = -1
			done[me], errs[me] = collectives(world, revoke)
		})
		require.Len(t, live(rep), 7)
		return done, errs
	}

	done, errs := run(false)
	require.Equal(t, [8]int{1, 0, 0, 0, -1, 0, 0, 0}, done, "nobody waits for ever")
	for _, rank := range []int{0, 1, 2, 3, 5, 6, 7} { // whether they had to do with rank 4 or not
		requireFailed(t, errs[rank], 4)
	}
}

// broadcastParts is a broadcast from rank 0 down the binomial tree.
func broadcastParts(c *ulfm.Comm, tag int64) error {
	me, bit := c.Rank(), 1
	for ; me != 0 && me&bit == 0; bit *= 2 {
	}
	if me == 0 {
		for ; bit < c.Size(); bit *= 2 {
		}
	} else if _, err := c.RecvPart(me-bit, tag); err != nil {
		return err
	}
	for bit /= 2; bit > 0; bit /= 2 {
		if me+bit < c.Size() {
			if err := c.SendPart(me+bit, tag, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// revokedAt runs a machine of 8 on which rank 3 revokes and dies on the way, and says who has
// heard of it in the end.
func revokedAt(t *testing.T, schedule string) (heard []int, rep *report.Report) {
	t.Helper()
	var revoked [8]bool
	rep = play(t, machineOf(8), schedule, func(world *ulfm.Comm) {
		if world.Rank() == 3 {
			world.Revoke()
		}
		for world.Proc().Now() < 200 {
			world.Revoked()
			world.Spend(5)
		}
		revoked[world.Rank()] = world.Revoked()
	})
	for rank, yes := range revoked {
		if yes {
			heard = append(heard, rank)
		}
	}
	return heard, rep
}

func TestARevokerThatDiesHasRevokedForAllOrNone(t *testing.T) {
	_, rep := revokedAt(t, "none")
	told := sends(rep, 3, "revoke")
	require.Equal(t, []int{4, 2, 5, 1, 7}, told)

	heard, _ := revokedAt(t, "crash:3@before-send1")
	require.Empty(t, heard)
	for n := 1; n <= len(told); n++ {
		heard, rep := revokedAt(t, fmt.Sprintf("crash:3@after-send%d", n))
		require.Equal(t, told[:n], sends(rep, 3, "revoke"))
		require.Equal(t, live(rep), heard)
	}
}

func TestARevocationIsForAllOrNoneIfTheOneWhoHeardOfItDiesToo(t *testing.T) {
	_, rep := revokedAt(t, "crash:3@after-send1")
	told := sends(rep, 4, "revoke")
	require.NotEmpty(t, told)

	heard, _ := revokedAt(t, "crash:3@after-send1,crash:4@before-send1")
	require.Empty(t, heard)
	for n := 1; n <= len(told); n++ {
		heard, rep := revokedAt(t, fmt.Sprintf("crash:3@after-send1,crash:4@after-send%d", n))
		require.Equal(t, []int{4}, sends(rep, 3, "revoke"))
		require.Equal(t, live(rep), heard)
	}
}

func TestALateMessageMatchesAReceiveThatWasPendingAndAcknowledged(t *testing.T) {
	const crash, late = 10, 100
	var posted *ulfm.Request
	var pending error
	var noticed, matched clock.Time
	var got ulfm.Received
	play(t, machineOf(3), fmt.Sprintf("crash:2@t%d", crash), func(world *ulfm.Comm) {
		switch world.Rank() {
		case 0:
			posted = world.Post(ulfm.AnySource, ulfm.AnyTag)
			_, pending = posted.Wait()
			noticed = world.Proc().Now()
			world.FailureAck()
			var err error
			got, err = posted.Wait()
			require.NoError(t, err)
			matched = world.Proc().Now()
		case 1:
			until(world, late)
			require.NoError(t, world.Send(0, 7, "late"))
		case 2:
			_, _ = world.Recv(0, 0)
		}
	})
	require.ErrorIs(t, pending, ulfm.ErrProcFailedPending)
	require.Equal(t, crash+hop+1, noticed, "a call that fails takes a tick")
	require.Equal(t, ulfm.Received{From: 1, Tag: 7, Payload: "late"}, got)
	require.Equal(t, late+hop, matched)
}

func TestOverlappingCommunicatorsThatShrinkInOppositeOrderDeadlock(t *testing.T) {
	diary := ulfm.NewDiary(4)
	program := diary.Program(func(world *ulfm.Comm) {
		a, err := world.Create([]int{0, 1, 2})
		require.NoError(t, err)
		b, err := world.Create([]int{1, 2, 3})
		require.NoError(t, err)
		order := []*ulfm.Comm{a, b}
		if world.Rank() == 2 {
			order = []*ulfm.Comm{b, a}
		}
		for _, c := range order {
			if c != nil {
				_, err := c.Shrink()
				require.NoError(t, err)
			}
		}
	})
	rep, err := tryRun(t, machineOf(4), "none", program)
	require.NoError(t, err)
	var stuck []int
	for _, d := range rep.Deadlocks {
		stuck = append(stuck, d.Rank)
	}
	require.Equal(t, []int{0, 1, 2, 3}, stuck)
	require.Equal(t, "Shrink on communicator 0.1, waiting for the vote of rank 2", diary.Waiting(0))
	require.Equal(t, "Shrink on communicator 0.1, waiting for the decision from rank 0", diary.Waiting(1))
	require.Equal(t, "Shrink on communicator 0.2, waiting for the decision from rank 1", diary.Waiting(2))
	require.Equal(t, "Shrink on communicator 0.2, waiting for the decision from rank 1", diary.Waiting(3))
}

// members are the ranks of the machine that a communicator has.
func members(c *ulfm.Comm) (all []int) {
	for member := range c.Size() {
		all = append(all, c.MachineRank(member))
	}
	return all
}

func TestAFailureDuringShrinkGivesAllTheSameCommunicator(t *testing.T) {
	for rank := range 8 {
		for _, point := range []string{"before-send1", "after-send1", "recv1"} {
			if point == "recv1" && rank%2 == 1 {
				continue // leaves have nothing to receive before the decision
			}
			var shrunk [8][]int
			var step [8]clock.Time
			rep := play(t, machineOf(8), fmt.Sprintf("crash:%d@%s", rank, point), func(world *ulfm.Comm) {
				c, err := world.Shrink()
				require.NoError(t, err)
				me := world.Rank()
				shrunk[me], step[me] = members(c), world.Proc().Now()
			})
			survivors := live(rep)
			require.Len(t, survivors, 7)
			for _, other := range survivors {
				require.Less(t, rep.Ranks[rank].Exit, step[other], "it died during the call")
				require.Equal(t, shrunk[survivors[0]], shrunk[other], "rank %d dies at %s", rank, point)
				require.Subset(t, shrunk[other], survivors)
			}
		}
	}
}

func TestAShrunkCommunicatorCanBeShrunkAgain(t *testing.T) {
	var once, twice, left [6][]int
	var ranks [6]int
	play(t, machineOf(6), "crash:1@t0,crash:4@step:once", func(world *ulfm.Comm) {
		me := world.Rank()
		world.FailureAck()
		c, err := world.Shrink()
		require.NoError(t, err)
		once[me] = members(c)
		world.Proc().Step("once")
		if _, err = c.Agree(1); err == nil {
			_, err = c.Agree(1)
		}
		requireFailed(t, err, 3) // rank 4 of the machine
		c, err = c.Shrink()
		require.NoError(t, err)
		twice[me], left[me], ranks[me] = members(c), c.Left(), c.Rank()
		flags, err := c.Agree(allBut(me))
		require.NoError(t, err)
		require.Equal(t, allBut(0, 2, 3, 5), flags)
	})
	for rank, expected := range map[int]int{0: 0, 2: 1, 3: 2, 5: 3} {
		require.Equal(t, []int{0, 2, 3, 4, 5}, once[rank])
		require.Equal(t, []int{0, 2, 3, 5}, twice[rank])
		require.Equal(t, []int{4}, left[rank])
		require.Equal(t, expected, ranks[rank], "in the order of the old ranks")
	}
}

func TestTheFirstCollectiveReportsAMemberThatDiedUnnoticed(t *testing.T) {
	var size [4]int
	var errs [4]error
	rep := play(t, machineOf(4), "crash:3@after-send1", func(world *ulfm.Comm) {
		me := world.Rank()
		c, err := world.Shrink()
		require.NoError(t, err)
		size[me] = c.Size()
		_, err = c.Agree(1)
		errs[me] = err
	})
	require.Equal(t, []int{0, 1, 2}, live(rep))
	require.True(t, slices.Contains(votersFor(rep, 2), 3), "it voted and died")
	for _, rank := range live(rep) {
		require.Equal(t, 4, size[rank], "the new communicator holds it")
		requireFailed(t, errs[rank], 3)
	}
}
