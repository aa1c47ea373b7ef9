package ulfm_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
)

// Whatever the size of the communicator and whoever the root is.
func TestCollectiveOperationsWithDataGiveWhatMPIGives(t *testing.T) {
	for ranks := 1; ranks <= 9; ranks++ {
		for root := range ranks {
			play(t, machineOf(ranks), "", func(world *ulfm.Comm) { requireData(t, world, root) })
		}
	}
}

// requireData calls all collective operations with data, waiting for them and by requests.
func requireData(t *testing.T, world *ulfm.Comm, root int) {
	me, size := world.Rank(), world.Size()
	word := func(from, to int) string { return fmt.Sprintf("%d to %d", from, to) }
	var toMe, ofMe, toRoot []string
	for other := range size {
		toMe, ofMe, toRoot = append(toMe, word(other, me)), append(ofMe, word(me, other)), append(toRoot, word(other, root))
	}
	wait := func(r *ulfm.Request) *ulfm.Request {
		_, err := r.Wait()
		require.NoError(t, err)
		return r
	}
	ifRoot := func(all []string) []string {
		if me == root {
			return all
		}
		return nil
	}
	n := int64(size)
	sums := []int64{n * (n - 1) / 2, n}
	mine := []int64{int64(me), 1}

	got, err := world.Bcast(word(me, 99), root)
	require.NoError(t, err)
	require.Equal(t, word(root, 99), got)
	require.Equal(t, word(root, 98), wait(world.Ibcast(word(me, 98), root)).Payload())

	all, err := world.Gather(word(me, root), root)
	require.NoError(t, err)
	require.Equal(t, ifRoot(toRoot), all)
	require.Equal(t, ifRoot(toRoot), wait(world.Igather(word(me, root), root)).Payloads())

	all, err = world.Allgather(word(me, root))
	require.NoError(t, err)
	require.Equal(t, toRoot, all)
	require.Equal(t, toRoot, wait(world.Iallgather(word(me, root))).Payloads())

	got, err = world.Scatter(ifRoot(ofMe), root)
	require.NoError(t, err)
	require.Equal(t, word(root, me), got)
	require.Equal(t, word(root, me), wait(world.Iscatter(ifRoot(ofMe), root)).Payload())

	all, err = world.Alltoall(ofMe)
	require.NoError(t, err)
	require.Equal(t, toMe, all)
	require.Equal(t, toMe, wait(world.Ialltoall(ofMe)).Payloads())

	sum, err := world.Reduce(mine, ulfm.Sum, root)
	require.NoError(t, err)
	again := wait(world.Ireduce(mine, ulfm.Sum, root)).Values()
	if me == root {
		require.Equal(t, sums, sum)
		require.Equal(t, sums, again)
	} else {
		require.Nil(t, sum)
		require.Nil(t, again)
	}

	sum, err = world.Allreduce(mine, ulfm.Sum)
	require.NoError(t, err)
	require.Equal(t, sums, sum)
	require.Equal(t, []int64{n - 1, 1}, wait(world.Iallreduce(mine, ulfm.Max)).Values())

	first, err := world.Scan(mine, func(a, _ int64) int64 { return a }) // in the order of ranks
	require.NoError(t, err)
	require.Equal(t, []int64{0, 1}, first)
	m := int64(me)
	sum, err = world.Scan(mine, ulfm.Sum)
	require.NoError(t, err)
	require.Equal(t, []int64{m * (m + 1) / 2, m + 1}, sum)
}

func TestOperationsCombineAsTheirNamesSay(t *testing.T) {
	for _, c := range []struct {
		name      string
		op        ulfm.Op
		a, b, and int64
	}{
		{"sum", ulfm.Sum, 3, 5, 8}, {"product", ulfm.Prod, 3, 5, 15},
		{"max", ulfm.Max, 3, 5, 5}, {"min", ulfm.Min, 3, 5, 3},
		{"bitwise and", ulfm.Band, 3, 6, 2}, {"bitwise or", ulfm.Bor, 3, 6, 7},
		{"and", ulfm.Land, 3, 6, 1}, {"and with 0", ulfm.Land, 3, 0, 0},
		{"or", ulfm.Lor, 0, 6, 1}, {"or of 0", ulfm.Lor, 0, 0, 0},
	} {
		require.Equal(t, c.and, c.op(c.a, c.b), c.name)
	}
}

// A broadcast takes as long as a message down the tree, a reduce as long as one up.
func TestWhatCollectiveOperationsCost(t *testing.T) {
	const ranks = 16
	for name, c := range map[string]struct {
		call     func(world *ulfm.Comm) error
		messages int64
		until    clock.Time
	}{
		"Bcast":     {func(w *ulfm.Comm) error { _, err := w.Bcast("", 0); return err }, ranks - 1, 4 * hop},
		"Scatter":   {func(w *ulfm.Comm) error { _, err := w.Scatter(make([]string, ranks), 0); return err }, ranks - 1, 4 * hop},
		"Gather":    {func(w *ulfm.Comm) error { _, err := w.Gather("", 0); return err }, ranks - 1, 4 * hop},
		"Reduce":    {func(w *ulfm.Comm) error { _, err := w.Reduce([]int64{1}, ulfm.Sum, 0); return err }, ranks - 1, 4 * hop},
		"Allreduce": {func(w *ulfm.Comm) error { _, err := w.Allreduce([]int64{1}, ulfm.Sum); return err }, 2 * (ranks - 1), 8 * hop},
		"Allgather": {func(w *ulfm.Comm) error { _, err := w.Allgather(""); return err }, 2 * (ranks - 1), 8 * hop},
		"Alltoall":  {func(w *ulfm.Comm) error { _, err := w.Alltoall(make([]string, ranks)); return err }, ranks * (ranks - 1), ranks - 1 + hop - 1},
		"Scan":      {func(w *ulfm.Comm) error { _, err := w.Scan([]int64{1}, ulfm.Sum); return err }, ranks - 1, (ranks - 1) * hop},
	} {
		rep := play(t, machineOf(ranks), "", func(world *ulfm.Comm) { require.NoError(t, c.call(world), name) })
		require.Equal(t, c.messages, rep.Messages, name)
		require.Equal(t, c.until, rep.Quiescence, name)
	}
}

// All collective calls with data, one after the other: after a failure each ends on every member, with the right result
// or with ErrProcFailed, and as soon as one has failed for all, all that come fail.
func TestCollectiveOperationsWithDataStandEverySingleFailure(t *testing.T) {
	const ranks = 5
	for _, detector := range []emu.Detection{{Delay: 4}, {Delay: 4, Spread: 60}, {Delay: 60, Period: 50, Hangs: true}} {
		t.Run(fmt.Sprint(detector), func(t *testing.T) {
			kinds := []faults.Kind{faults.Crash}
			if detector.Hangs {
				kinds = append(kinds, faults.Hang)
			}
			emutest.Run(t, emutest.Test{
				Machine: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Detection: detector, Faults: 1, Kinds: kinds, Exact: true,
				New: func() emutest.Instance {
					wrong := make([][]error, ranks)
					return emutest.Instance{
						Program: ulfm.Program(func(world *ulfm.Comm) { wrong[world.Rank()] = sequence(world) }),
						Prepare: func() { clear(wrong) },
						Check: func(rep *report.Report) error {
							if len(rep.Deadlocks) > 0 {
								return fmt.Errorf("%v", rep.Deadlocks)
							}
							for _, rank := range live(rep) {
								if err := errors.Join(wrong[rank]...); err != nil {
									return fmt.Errorf("rank %d: %w", rank, err)
								}
							}
							return nil
						},
					}
				},
			})
		})
	}
}

// sequence calls collective operations and says what is wrong with what they return.
func sequence(world *ulfm.Comm) (wrong []error) {
	me, size := world.Rank(), world.Size()
	parts := make([]string, size)
	everybody := make([]string, size)
	for other := range size {
		parts[other], everybody[other] = fmt.Sprint(me, other), fmt.Sprint(other)
	}
	failed := false
	look := func(call string, err error, right bool) {
		switch {
		case err != nil && !errors.Is(err, ulfm.ErrProcFailed):
			wrong = append(wrong, fmt.Errorf("%s: %w", call, err))
		case err == nil && !right:
			wrong = append(wrong, fmt.Errorf("%s: wrong result", call))
		case err == nil && failed:
			wrong = append(wrong, fmt.Errorf("%s succeeds although a member has failed", call))
		}
		failed = failed || err != nil
	}
	for root := range 3 {
		got, err := world.Bcast(fmt.Sprint("from ", me), root)
		look("Bcast", err, got == fmt.Sprint("from ", root))
		all, err := world.Gather(fmt.Sprint(me), root)
		look("Gather", err, me != root || slices.Equal(all, everybody))
		sum, err := world.Reduce([]int64{1 << me}, ulfm.Sum, root)
		look("Reduce", err, err != nil || me != root || sum[0] == 1<<size-1)
		got, err = world.Scatter(parts, root)
		look("Scatter", err, got == fmt.Sprint(root, me))
	}
	sum, err := world.Allreduce([]int64{1 << me}, ulfm.Bor)
	look("Allreduce", err, err != nil || sum[0] == 1<<size-1)
	all, err := world.Alltoall(parts)
	look("Alltoall", err, err != nil || all[0] == fmt.Sprint(0, me) && all[size-1] == fmt.Sprint(size-1, me))
	all, err = world.Allgather(fmt.Sprint(me))
	look("Allgather", err, slices.Equal(all, everybody))
	sum, err = world.Scan([]int64{1 << me}, ulfm.Sum)
	look("Scan", err, err != nil || sum[0] == 1<<(me+1)-1)
	return wrong
}

// Others wait for the one that has begun a barrier and is in another call: MPI requires that this lets them go on.
func TestWhatWasBegunGoesOnInOtherCalls(t *testing.T) {
	for name, begin := range map[string]func(world *ulfm.Comm) *ulfm.Request{
		"Ibarrier":   (*ulfm.Comm).Ibarrier,
		"Ibcast":     func(w *ulfm.Comm) *ulfm.Request { return w.Ibcast("x", 2) },
		"Iallreduce": func(w *ulfm.Comm) *ulfm.Request { return w.Iallreduce([]int64{1}, ulfm.Sum) },
		"Ialltoall":  func(w *ulfm.Comm) *ulfm.Request { return w.Ialltoall(make([]string, 4)) },
	} {
		t.Run(name, func(t *testing.T) {
			play(t, machineOf(4), "", func(world *ulfm.Comm) {
				request := begin(world)
				if world.Rank() == 0 { // an inner rank, or the root, which waits for another who waits for it
					_, err := world.Recv(3, 0)
					require.NoError(t, err)
				}
				_, err := request.Wait()
				require.NoError(t, err)
				if world.Rank() == 3 {
					require.NoError(t, world.Send(0, 0, ""))
				}
			})
		})
	}
}

// A root that has begun a broadcast and computes keeps nobody waiting.
func TestWhatIsBegunBeginsAtOnce(t *testing.T) {
	play(t, machineOf(4), "", func(world *ulfm.Comm) {
		request := world.Ibcast("x", 0)
		if world.Rank() == 0 {
			until(world, 500)
		}
		_, err := request.Wait()
		require.NoError(t, err)
		if world.Rank() != 0 {
			require.Less(t, world.Proc().Now(), clock.Time(20))
		}
	})
}

// What was begun is not raised by the call in which it fails, but by the Wait for it.
func TestAFailureOfWhatWasBegunIsToldByItsWait(t *testing.T) {
	play(t, machineOf(4), "crash:3@t0", func(world *ulfm.Comm) {
		if world.Rank() == 3 {
			until(world, 1)
		}
		heard := 0
		world.SetErrhandler(func(*ulfm.Comm, error) { heard++ })
		barrier, sum := world.Ibarrier(), world.Iallreduce([]int64{1}, ulfm.Sum)
		next := (world.Rank() + 1) % 3
		for range 10 {
			_, err := world.Sendrecv(next, 0, "", (world.Rank()+2)%3, 0)
			require.NoError(t, err)
		}
		require.Zero(t, heard)
		_, err := barrier.Wait()
		requireFailed(t, err, 3)
		_, err = sum.Wait()
		requireFailed(t, err, 3)
		require.Nil(t, sum.Values())
		require.Equal(t, 2, heard)
	})
}

func TestMistakesInCollectiveCallsAreNamed(t *testing.T) {
	for want, main := range map[string]func(*ulfm.Comm){
		"Bcast of rank 3, want 0 to 2":                              func(w *ulfm.Comm) { _, _ = w.Bcast("", 3) },
		"Scatter of 2 parts, want 3, one for each member":           func(w *ulfm.Comm) { _, _ = w.Scatter([]string{"", ""}, w.Rank()) },
		"Alltoall of 0 parts, want 3, one for each member":          func(w *ulfm.Comm) { _, _ = w.Alltoall(nil) },
		"Reduce of 1 numbers and of 2, want as many on all members": func(w *ulfm.Comm) { _, _ = w.Reduce(make([]int64, 1+min(w.Rank(), 1)), ulfm.Sum, 0) },
	} {
		_, err := tryRun(t, machineOf(3), "", ulfm.Program(main))
		require.ErrorContains(t, err, want)
	}
}

func TestADeadlockInACollectiveCallNamesItAndThoseItWaitsFor(t *testing.T) {
	diary := ulfm.NewDiary(4)
	rep, err := tryRun(t, machineOf(4), "", diary.Program(func(world *ulfm.Comm) {
		if world.Rank() != 1 {
			_, _ = world.Allreduce([]int64{1}, ulfm.Sum)
		}
	}))
	require.NoError(t, err)
	require.Len(t, rep.Deadlocks, 3)
	require.Equal(t, "Allreduce on world, waiting for rank 1", diary.Waiting(0))
	require.True(t, strings.HasPrefix(diary.Waiting(3), "Allreduce on world, waiting for rank 2"), diary.Waiting(3))
}
