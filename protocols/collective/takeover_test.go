package collective

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
)

// view is what a rank thinks who does which task.
type view struct {
	owners  []int
	members []int // ranks of the machine that are left
	mine    []int
}

// takeOvers runs a program of so many barriers; ranks fail in groups, at the step "begin" of one of
// them. It returns what all ranks think after each barrier, nil for ranks that have failed before.
func takeOvers(t require.TestingT, ranks, barriers int, schedule faults.Schedule) (seen [][]*view, rep *report.Report) {
	seen = make([][]*view, barriers)
	for i := range seen {
		seen[i] = make([]*view, ranks)
	}
	machine, err := emu.New(emu.Config{
		LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}, Workers: 1,
	})
	require.NoError(t, err)
	rep, err = machine.Run(context.Background(), ulfm.Program(func(world *ulfm.Comm) {
		team := NewTeam(world, Options{})
		for i := range barriers {
			world.Proc().Step("begin")
			if err := Barrier(team); err != nil {
				panic(err)
			}
			seen[i][world.Rank()] = team.view()
		}
	}), emu.Options{Faults: schedule})
	require.NoError(t, err)
	require.Empty(t, rep.Deadlocks)
	return seen, rep
}

func (t *Team) view() *view {
	v := &view{mine: slices.Clone(t.Mine())}
	for task := range t.Tasks() {
		v.owners = append(v.owners, t.owner(task))
		if t.Does(task) != (t.owner(task) == t.me()) || t.Does(task) != slices.Contains(v.mine, task) {
			panic("Does, Mine and owner differ")
		}
	}
	for member := range t.Comm().Size() {
		v.members = append(v.members, t.Comm().MachineRank(member))
	}
	return v
}

// fairness is the difference between the most and the fewest tasks of ranks that are left.
func (v *view) fairness() int {
	counts := make(map[int]int)
	for _, owner := range v.owners {
		counts[owner]++
	}
	least, most := len(v.owners), 0
	for _, member := range v.members {
		least, most = min(least, counts[member]), max(most, counts[member])
	}
	return most - least
}

// What holds, whether ranks fail one at a time or many at once, in whatever order:
//
//  1. every task has one owner, a rank that is left; all ranks agree on it;
//  2. the most tasks that a rank has are at most one more than the fewest;
//  3. no task moves away from a rank that is left.
func TestTasksAreTakenOverFairlyWhateverFails(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranks := rapid.IntRange(1, 12).Draw(t, "ranks")
		survivor := rapid.IntRange(0, ranks-1).Draw(t, "survivor")
		barriers := rapid.IntRange(1, 5).Draw(t, "barriers")
		var schedule faults.Schedule
		for rank := range ranks {
			if when := rapid.IntRange(0, barriers).Draw(t, "fails in"); when > 0 && rank != survivor {
				schedule = append(schedule, faults.Fault{Kind: faults.Crash, Rank: rank, At: faults.OnStep("begin", when)})
			}
		}
		seen, rep := takeOvers(t, ranks, barriers, schedule)
		require.Len(t, rep.Failed, len(schedule))
		requireFair(t, seen, survivor)
	})
}

func requireFair(t require.TestingT, seen [][]*view, survivor int) {
	var before *view
	for barrier, views := range seen {
		now := views[survivor]
		require.NotNil(t, now)
		for rank, v := range views {
			if v == nil {
				require.NotContains(t, now.members, rank)
				continue
			}
			require.Equal(t, now.owners, v.owners, "ranks %d and %d after barrier %d", survivor, rank, barrier)
			require.Equal(t, now.members, v.members)
			require.True(t, slices.IsSorted(v.mine))
		}
		require.Subset(t, now.members, now.owners)
		require.LessOrEqual(t, now.fairness(), 1)
		for task, owner := range now.owners {
			if before != nil && slices.Contains(now.members, before.owners[task]) {
				require.Equal(t, before.owners[task], owner, "task %d", task)
			}
		}
		before = now
	}
}

// All sets of ranks that fail at once, then all that fail after them.
func TestTasksAreTakenOverFairlyByTwoGroups(t *testing.T) {
	const ranks = 5
	for assignment := range 243 {
		var schedule faults.Schedule
		survivor := -1
		for rank, rest := 0, assignment; rank < ranks; rank, rest = rank+1, rest/3 {
			if rest%3 == 0 {
				survivor = rank
				continue
			}
			schedule = append(schedule, faults.Fault{Kind: faults.Crash, Rank: rank, At: faults.OnStep("begin", rest%3)})
		}
		if survivor >= 0 {
			seen, _ := takeOvers(t, ranks, 2, schedule)
			requireFair(t, seen, survivor)
		}
	}
}

// ownersAfter lets ranks fail one after the other, each before the next barrier. A group fails
// together.
func ownersAfter(t *testing.T, ranks int, groups ...[]int) []int {
	var schedule faults.Schedule
	failed := make(map[int]bool)
	for i, group := range groups {
		for _, rank := range group {
			schedule = append(schedule, faults.Fault{Kind: faults.Crash, Rank: rank, At: faults.OnStep("begin", i+1)})
			failed[rank] = true
		}
	}
	seen, _ := takeOvers(t, ranks, len(groups), schedule)
	for rank, v := range seen[len(groups)-1] {
		if !failed[rank] {
			return v.owners
		}
	}
	return nil
}

func TestWhoTakesOver(t *testing.T) {
	for _, c := range []struct {
		groups [][]int
		want   []int
	}{
		// Section 3.2: "if Process 4 is failing during the communication, Process 5 will take over".
		{[][]int{{4}}, []int{0, 1, 2, 3, 5, 5, 6, 7, 8}},
		// Section 3.5: "if Process 0 fails [...], Process 1 will take over".
		{[][]int{{0}}, []int{1, 1, 2, 3, 4, 5, 6, 7, 8}},
		{[][]int{{1}}, []int{0, 2, 2, 3, 4, 5, 6, 7, 8}},
		// Behind the last comes the first.
		{[][]int{{8}}, []int{0, 1, 2, 3, 4, 5, 6, 7, 0}},
		// 5 has two tasks already, so 6 is next.
		{[][]int{{4}, {3}}, []int{0, 1, 2, 6, 5, 5, 6, 7, 8}},
		// Both tasks of 5, the lower one first.
		{[][]int{{4}, {5}}, []int{0, 1, 2, 3, 6, 7, 6, 7, 8}},
		// At once: the heir of 4 is none that fails with it.
		{[][]int{{4, 5}}, []int{0, 1, 2, 3, 6, 7, 6, 7, 8}},
		{[][]int{{8, 0}}, []int{1, 1, 2, 3, 4, 5, 6, 7, 2}},
		// The order in which ranks fail makes a difference, not for fairness.
		{[][]int{{5}, {4}}, []int{0, 1, 2, 3, 7, 6, 6, 7, 8}},
		// Four are left, with two tasks each and one with three; then two, with four and five.
		{[][]int{{0, 1, 2, 3, 4}}, []int{5, 6, 7, 8, 5, 5, 6, 7, 8}},
		{[][]int{{0, 1, 2, 3, 4}, {5, 6}}, []int{7, 8, 7, 8, 8, 7, 7, 7, 8}},
	} {
		t.Run(fmt.Sprint(c.groups), func(t *testing.T) {
			require.Equal(t, c.want, ownersAfter(t, 9, c.groups...))
		})
	}
}
