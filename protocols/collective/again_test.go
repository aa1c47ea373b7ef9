package collective

import (
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

// "In the normal execution only the communications which have not been performed successfully are
// repeated" (section 3.1.1).

// again runs an operation with failures, with a root 0 where there is one, and says what was sent
// after the first failure.
func again(t *testing.T, ranks int, options Options, schedule string, main func(*Team) error) traced {
	t.Helper()
	machine := simple
	machine.Ranks = ranks
	return trace(t, machine, options, schedule, func(team *Team) {
		if err := main(team); err != nil {
			panic(err)
		}
	})
}

// counted counts how often a task's data was asked for.
func counted(of *atomic.Int64) Input[[]byte] {
	return Given(func(task int) []byte { of.Add(1); return []byte{1 << task} })
}

func TestBroadcastSendsTheMessageOnlyToThoseWhoHaveItNot(t *testing.T) {
	broadcast := func(schedule string) (traced, int64) {
		var asked atomic.Int64
		r := again(t, 8, Options{}, schedule, func(t *Team) error {
			_, err := Broadcast(t, 0, counted(&asked))
			return err
		})
		return r, asked.Load()
	}
	for _, late := range []string{"crash:3@step:agree#2", "crash:4@step:agree#2", "crash:7@step:agree#2"} {
		r, asked := broadcast(late)
		require.Empty(t, r.pairsAgain(values), late)
		require.Equal(t, int64(1), asked)
	}
	// Not even the root's message need be restored if its heir has it.
	r, asked := broadcast("crash:0@step:agree#2")
	require.Empty(t, r.pairsAgain(values))
	require.Equal(t, int64(1), asked)
	// Section 3.2: of 4 come 5, 6 and 7; 5 takes over, gets it from 0 and sends it on.
	r, _ = broadcast("crash:4@step:exchange")
	require.ElementsMatch(t, [][2]int{{0, 4}, {4, 6}, {6, 7}}, r.pairsAgain(values))
	// 6 has not sent it on to 7, which takes over.
	r, _ = broadcast("crash:6@step:exchange")
	require.Equal(t, [][2]int{{4, 6}}, r.pairsAgain(values))
}

func TestScatterSendsOnlyBlocksThatAreMissing(t *testing.T) {
	scatter := func(schedule string) (traced, int64) {
		var asked atomic.Int64
		r := again(t, 8, Options{}, schedule, func(t *Team) error {
			_, err := Scatter(t, 0, Given(func(int) [][]byte { asked.Add(1); return ofBlocks(8, 1).Of(0) }))
			return err
		})
		return r, asked.Load()
	}
	for _, c := range []struct {
		schedule string
		want     [][2]int
		asked    int64
	}{
		// Its heir 3 needs the block of task 2. Its own it had got from 2.
		{"crash:2@step:agree#2", [][2]int{{0, 2}}, 1},
		{"crash:4@step:agree#2", [][2]int{{0, 4}}, 1},
		// Who passes a block on keeps it: the root is not asked.
		{"crash:3@step:agree#2", [][2]int{{2, 3}}, 1},
		{"crash:6@step:agree#2", [][2]int{{4, 6}}, 1},
		// The heir of 7 is the root. That of the root has to restore everything, but sends nothing.
		{"crash:7@step:agree#2", [][2]int{}, 1},
		{"crash:0@step:agree#2", [][2]int{}, 2},
		// 4 has passed nothing on.
		{"crash:4@step:exchange", [][2]int{{0, 4}, {4, 6}, {6, 7}}, 1},
	} {
		r, asked := scatter(c.schedule)
		require.Equal(t, c.want, r.pairsAgain(values), c.schedule)
		require.Equal(t, c.asked, asked, c.schedule)
	}
}

func TestGatherSendsOnlyBlocksThatTheRootHasNot(t *testing.T) {
	gather := func(schedule string) (traced, int64) {
		var asked atomic.Int64
		r := again(t, 8, Options{}, schedule, func(t *Team) error {
			_, err := Gather(t, 0, counted(&asked))
			return err
		})
		return r, asked.Load()
	}
	for _, late := range []string{"crash:2@step:agree#2", "crash:4@step:agree#2", "crash:7@step:agree#2"} {
		r, asked := gather(late)
		require.Empty(t, r.pairsAgain(values), late)
		require.Equal(t, int64(8), asked)
	}
	// 4 fails before it has done anything. 6 has the block of 7 and need not get it again, the root has
	// those of 1, 2 and 3.
	r, asked := gather("crash:4@step:exchange")
	require.Equal(t, [][2]int{{6, 4}, {4, 0}}, r.pairsAgain(values))
	require.Equal(t, int64(8), asked, "that of 4 was not asked for before")
	// The root fails: 1 takes over and needs all but its own, which the others have from below.
	r, asked = gather("crash:0@step:agree#2")
	require.ElementsMatch(t, [][2]int{{2, 0}, {4, 0}}, r.pairsAgain(values))
	require.Equal(t, int64(9), asked)
}

// reductions runs a reduce and counts combinations.
func reductions(t *testing.T, backup Backup, schedule string) (r traced, combined, asked int64) {
	t.Helper()
	var combinations, inputs atomic.Int64
	r = again(t, 8, Options{Backup: backup}, schedule, func(t *Team) error {
		sum, err := Reduce(t, 0, counted(&inputs), Elementwise(func(a, b byte) byte { combinations.Add(1); return a + b }))
		if t.Does(0) && !slices.Equal(sum, []byte{255}) {
			panic("wrong sum")
		}
		return err
	})
	return r, combinations.Load(), inputs.Load()
}

// The root fails in the last of three iterations. It has combined two values, the others four.
func TestBackupsSaveWhatWasCombined(t *testing.T) {
	const late = "crash:0@step:iteration#3"
	r, combined, asked := reductions(t, NoBackup, late)
	require.Equal(t, int64(6+3), combined, "all of the root's again")
	require.ElementsMatch(t, [][2]int{{2, 0}, {4, 0}}, r.pairsAgain(values), "1 is its own heir")
	require.Equal(t, int64(8+1), asked)

	r, combined, asked = reductions(t, AllBackups, late)
	require.Equal(t, int64(7), combined, "as many as without a failure")
	require.Equal(t, [][2]int{{4, 0}}, r.pairsAgain(values))
	require.Equal(t, [][2]int{{2, 0}, {0, 4}}, r.pairsAgain(backup), "2 keeps the latest; then 4")
	require.Equal(t, int64(8), asked, "no value need be restored")
}

// "Process 1 will take over the task of Process 0 and continue with the backup of the temporary
// result. Therefore, no communication and no additional operation has to be performed."
func TestABackupMayBeThatOfTheHeir(t *testing.T) {
	r, combined, asked := reductions(t, AllBackups, "crash:0@step:iteration#2")
	require.Equal(t, int64(7), combined)
	require.Equal(t, [][2]int{{2, 0}, {4, 0}}, r.pairsAgain(values))
	require.Equal(t, [][2]int{{0, 2}, {0, 4}}, r.pairsAgain(backup), "only what comes after")
	require.Equal(t, int64(8), asked)
}

func TestTheFailureOfABackupNodeRepeatsNothing(t *testing.T) {
	for _, when := range []string{
		"crash:1@after-send2", // a vote, then its value; the backup does not reach it
		"crash:1@step:agree#2", "crash:2@step:agree#2", "crash:3@step:agree#2", "crash:4@step:agree#2", "crash:7@step:agree#2",
	} {
		r, combined, asked := reductions(t, AllBackups, when)
		require.Equal(t, int64(7), combined, when)
		require.Empty(t, r.pairsAgain(values), when)
		require.Empty(t, r.pairsAgain(backup), when)
		require.Equal(t, int64(8), asked, when)
	}
}

// Rank 2 has taken over task 1, and gets a backup of task 0 for each of its two values.
func TestARankWithTwoTasksKeepsTheLatestBackup(t *testing.T) {
	r, combined, _ := reductions(t, AllBackups, "crash:1@step:agree,crash:0@step:iteration#3")
	require.Equal(t, int64(7), combined)
	require.Contains(t, r.pairsAgain(backup), [2]int{2, 0})
}

// Rank 1 takes over task 0 and comes to the end. When rank 4 fails then, there is nothing left to do:
// what rank 1 has is better than the backup that it began with, and than those of others.
func TestAPartialResultIsBetterThanItsBackups(t *testing.T) {
	r, combined, asked := reductions(t, AllBackups, "crash:0@step:iteration#2,crash:4@step:agree#3")
	require.Equal(t, int64(7), combined)
	require.Equal(t, int64(8), asked)
	require.Equal(t, [][2]int{{0, 2}, {0, 4}}, r.pairsAgain(backup), "of the second attempt")
}

// The backup of a task is brought to its heir, which goes on while the root waits.
func TestBackupsOfInnerTasksAreUsed(t *testing.T) {
	r, combined, _ := reductions(t, AllBackups, "crash:4@before-send6") // it has sent a vote, two decisions and two backups
	require.Equal(t, int64(7), combined)
	require.Contains(t, r.pairsAgain(backup), [2]int{6, 4})
	require.NotContains(t, r.pairsAgain(values), [2]int{6, 4})
}

// A task that was lost before the reduce has no backups: nobody offers any.
func TestBackupsAreOfferedOnlyForTasksThatTheReduceHasLost(t *testing.T) {
	r := again(t, 8, Options{Backup: AllBackups}, "crash:4@step:exchange,crash:0@step:exchange#3", func(t *Team) error {
		if _, err := Broadcast(t, 0, ofBytes(1)); err != nil {
			return err
		}
		_, err := Reduce(t, 0, ofBytes(1), Elementwise(xor))
		return err
	})
	require.ElementsMatch(t, [][2]int{{2, 0}, {4, 0}}, r.pairsAgain(offer))
}

// Once a rank has failed, optimistic operations are tolerant, with backups.
func TestOptimisticReducesHaveBackupsAfterAFailure(t *testing.T) {
	r := again(t, 8, Options{Strategy: Optimistic, Backup: AllBackups}, "crash:7@step:agree", func(t *Team) error {
		for range 2 {
			if _, err := Reduce(t, 0, ofBytes(1), Elementwise(xor)); err != nil {
				return err
			}
		}
		return nil
	})
	// The first comes to its end before the failure is found out and repeats nothing. In the second
	// task 7 is rank 0's.
	require.ElementsMatch(t, [][2]int{{0, 1}, {0, 2}, {0, 4}, {2, 3}, {4, 5}, {4, 6}, {6, 7}}, r.pairsAgain(backup))
	for _, s := range r.sends() {
		require.False(t, s.content == backup && s.epoch == 0)
	}
}

func TestCombiningAgainTakesTimeThatBackupsSave(t *testing.T) {
	machine := simple
	machine.Ranks = 8
	last := func(backup Backup) clock.Time {
		options := Options{Backup: backup, Combine: func(int) clock.Time { return 1000 }}
		r := trace(t, machine, options, "crash:0@step:iteration#3", func(team *Team) {
			if _, err := Reduce(team, 0, ofBytes(1), Elementwise(xor)); err != nil {
				panic(err)
			}
		})
		return slices.Max(r.returned) / 1000
	}
	require.Equal(t, clock.Time(2+3), last(NoBackup), "two levels, then all three")
	require.Equal(t, clock.Time(2+1), last(AllBackups), "two levels, then the last")
}

func TestAllToAllRepeatsOnlyBlocksOfTheFailedRanksTask(t *testing.T) {
	const ranks, failed, heir = 6, 2, 3
	var asked atomic.Int64
	run := func(schedule string) traced {
		asked.Store(0)
		return again(t, ranks, Options{}, schedule, func(t *Team) error {
			_, err := AllToAll(t, Given(func(task int) [][]byte { asked.Add(1); return ofBlocks(ranks, 1).Of(task) }))
			return err
		})
	}
	require.Empty(t, run("none").pairsAgain(values))
	require.Equal(t, int64(ranks), asked.Load(), "once for each task")
	// All have what came from the failed rank; its heir needs what went to it.
	want := [][2]int{}
	for from := range ranks {
		if from != failed && from != heir {
			want = append(want, [2]int{from, failed})
		}
	}
	require.ElementsMatch(t, want, run("crash:2@step:agree#2").pairsAgain(values))
	require.Equal(t, int64(ranks+1), asked.Load(), "once more, by the heir")
	// In the last iteration somebody misses a block from it, too.
	last := partner(failed, rounds(ranks)-1, ranks)
	require.ElementsMatch(t, append(want, [2]int{failed, last}), run("crash:2@step:iteration#5").pairsAgain(values))
	for _, when := range []string{"crash:2@step:iteration#1", "crash:2@step:iteration#3"} {
		for _, pair := range run(when).pairsAgain(values) {
			require.NotContains(t, [][2]int{{failed, heir}, {heir, failed}}, pair, "the heir's own")
		}
	}
}
