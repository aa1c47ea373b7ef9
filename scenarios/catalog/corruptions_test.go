package catalog

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios/applications/tpch"
)

// corruptedLines are those whose leavings are corrupted: every protocol with its default keys but for the number of ranks, without
// failures and with some that it stands, and every operation.
func corruptedLines() []string {
	lines := []string{
		"broadcast P=16 faults=crash:5", "broadcast P=16 repeat=3", "multitree P=16 faults=crash:5", "gossip P=16 faults=crash:5", "big P=16 faults=crash:5",
		"bfb P=16 faults=crash:5@t9", "reduce P=16 faults=crash:5", "allreduce P=16 faults=crash:5",
		"membership P=16 faults=crash:5@t100", "membership P=9 members=7 join=7@t20,8@t90",
		"membership P=7 minority=abort faults=cut:0-3|4-6@t100",
		"samplesort P=8 faults=crash:5@t100", "tpch-q3 P=8 faults=crash:0@t100", "calibration P=4",
	}
	for _, op := range collectiveCalls.Names() {
		lines = append(lines, "collective P=16 op="+op, "collective P=16 op="+op+" faults=crash:5@t20")
	}
	for _, p := range All() {
		if p.Name != "collective" { // it is there with all its operations
			lines = append(lines, p.Name+" P=16")
		}
	}
	return lines
}

// invisible are corruptions that nothing notices, with the reason. The key is the beginning of a line and the name of the corruption.
var invisible = map[string]string{
	"broadcast P=16 repeat=3: a live rank is never reached":             "series go by what ranks have noted of each broadcast",
	"collective P=16 op=broadcast: a result swapped with a neighbour's": "all tasks have the same result",
	"collective P=16 op=allgather: a result swapped with a neighbour's": "all tasks have the same result",
	"collective P=16 op=allreduce: a result swapped with a neighbour's": "all tasks have the same result",
	"collective P=16 op=barrier: a result swapped with a neighbour's":   "both were through at the same time, or both came before",
	"collective P=16 op=barrier: a number of a result flipped":          "one that came a little earlier to a barrier has waited a little longer",
	"calibration P=4: a measurement flipped":                            "nobody knows beforehand what a machine measures",
	"calibration P=16: a measurement flipped":                           "nobody knows beforehand what a machine measures",
}

// Whatever a protocol of its kind can do wrong shows: what the ranks of a good run have left is corrupted in every way that we could think
// of, and each time a promise is broken. What is said of it stays the same.
func TestEveryCorruptionIsSeen(t *testing.T) {
	tried := make(map[string]int)
	used := make(map[string]bool)
	var all strings.Builder
	for _, line := range corruptedLines() {
		fmt.Fprintln(&all, line)
		t.Run(line, func(t *testing.T) {
			x := leave(t, line)
			for _, c := range corruptions() {
				broken, applies := x.broken(c)
				if !applies {
					continue
				}
				tried[c.name]++
				for _, v := range broken {
					fmt.Fprintf(&all, "\t%s: %s: %s\n", c.name, v.Name, v.Evidence)
				}
				if key := reasonFor(line, c.name); key != "" && len(broken) == 0 {
					used[key] = true
					continue
				}
				assert.NotEmpty(t, broken, c.name)
			}
		})
	}
	for _, c := range corruptions() {
		require.Positive(t, tried[c.name], "%s: no run has anything of the kind", c.name)
	}
	for key := range invisible {
		require.True(t, used[key], "%s: is seen after all, or does not happen", key)
	}
	requireGolden(t, "testdata/corrupted.golden", all.String())
}

// reasonFor is the key of the reason why a corruption is invisible; "" if there is none.
func reasonFor(line, corruption string) string {
	for key := range invisible {
		if prefix, name, _ := strings.Cut(key, ": "); name == corruption && strings.HasPrefix(line+" ", prefix+" ") {
			return key
		}
	}
	return ""
}

// corruptions are all of them.
func corruptions() []corruption {
	return slices.Concat(ofReports(), ofTraces(), ofShares[[]int64](numbersFlipped), ofShares[[]tpch.Result](answersFlipped), ofNumbers(), ofTasks[[]int64](), ofTasks[[]tpch.Result](),
		ofReductions(), ofSeries(), ofRecords(), ofOthers())
}

// ofReports are those of what a machine says.
func ofReports() []corruption {
	return []corruption{
		{"a live rank is never reached", func(x *leavings) bool {
			last := x.live()[len(x.live())-1]
			if x.run.Experiment().Reduction {
				return false
			}
			x.rep.Unreached = append(x.rep.Unreached, last)
			x.rep.Ranks[last].Coloured = clock.Never
			return true
		}},
		{"a live rank waits for ever", func(x *leavings) bool {
			last := x.live()[len(x.live())-1]
			x.rep.Deadlocks = append(x.rep.Deadlocks, report.Deadlock{Rank: last, Call: "Recv"})
			return true
		}},
	}
}

// ofTraces are those of what happened to messages.
func ofTraces() []corruption {
	first := func(x *leavings, kind report.EventKind) int {
		return slices.IndexFunc(x.rep.Events, func(e report.Event) bool { return e.Kind == kind })
	}
	return []corruption{
		{"a message arrives twice", func(x *leavings) bool {
			i := first(x, report.EventReceive)
			x.rep.Events = slices.Insert(x.rep.Events, i, x.rep.Events[i])
			return true
		}},
		{"a message arrives from nowhere", func(x *leavings) bool {
			i := first(x, report.EventSend)
			x.rep.Events = slices.Delete(x.rep.Events, i, i+1)
			return true
		}},
		{"a message comes from another rank", func(x *leavings) bool {
			e := &x.rep.Events[first(x, report.EventReceive)]
			e.Peer = (e.Peer + 1) % len(x.rep.Ranks)
			return true
		}},
		{"a message is another on the way", func(x *leavings) bool {
			x.rep.Events[first(x, report.EventReceive)].A ^= 1
			return true
		}},
		{"a message arrives before it is sent", func(x *leavings) bool {
			i := first(x, report.EventReceive)
			e := x.rep.Events[i]
			e.Time = 0
			x.rep.Events = slices.Insert(slices.Delete(x.rep.Events, i, i+1), 0, e)
			return true
		}},
		{"a rank delivers twice", func(x *leavings) bool {
			i := slices.IndexFunc(x.rep.Events, func(e report.Event) bool { return e.Kind == report.EventStep && e.Step == "coloured" && e.Rank > 0 })
			if i < 0 || x.run.Experiment().Reduction {
				return false
			}
			for range 3 {
				x.rep.Events = slices.Insert(x.rep.Events, i+1, x.rep.Events[i])
			}
			return true
		}},
		{"a rank passes on what it has not got", func(x *leavings) bool {
			if x.run.Experiment().Reduction {
				return false
			}
			i := slices.IndexFunc(x.rep.Events, func(e report.Event) bool { return e.Kind == report.EventTake })
			rank := x.rep.Events[i].Rank
			if !slices.ContainsFunc(x.rep.Events[i:], func(e report.Event) bool { return e.Kind == report.EventSend && e.Rank == rank }) {
				return false
			}
			x.rep.Events = slices.DeleteFunc(x.rep.Events, func(e report.Event) bool { return e.Kind == report.EventTake && e.Rank == rank })
			return true
		}},
	}
}

func numbersFlipped(got []int64) ([]int64, bool) {
	if len(got) == 0 {
		return got, false
	}
	got[len(got)-1] ^= 1
	return got, true
}

func answersFlipped(got []tpch.Result) ([]tpch.Result, bool) {
	if len(got) == 0 {
		return got, false
	}
	got[len(got)-1].Revenue ^= 1
	return got, true
}

// of, set, remove and tasks are as of a map.
func (r results[T]) of(task int) (got T, has bool) {
	at, has := r.search(task)
	if has {
		got = r[at].Got
	}
	return got, has
}

func (r *results[T]) set(task int, got T) {
	at, has := r.search(task)
	if !has {
		*r = slices.Insert(*r, at, result[T]{Task: task})
	}
	(*r)[at].Got = got
}

func (r *results[T]) remove(task int) {
	if at, has := r.search(task); has {
		*r = slices.Delete(*r, at, at+1)
	}
}

func (r results[T]) tasks() (all []int) {
	for _, one := range r {
		all = append(all, one.Task)
	}
	return all
}

// ofShares are those of the results of tasks.
func ofShares[T any](flip func(T) (T, bool)) []corruption {
	some := func(change func(own *share[T], task int) bool) func(*leavings) bool {
		return somewhere(func(_ *leavings, _ int, own *share[T]) bool {
			for _, task := range own.Results.tasks() {
				if change(own, task) {
					return true
				}
			}
			return false
		})
	}
	return []corruption{
		{"a number of a result flipped", some(func(own *share[T], task int) (done bool) {
			got, _ := own.Results.of(task)
			got, done = flip(got)
			own.Results.set(task, got)
			return done
		})},
		{"a result is nothing", some(func(own *share[T], task int) bool {
			var nothing T
			if got, _ := own.Results.of(task); fmt.Sprint(got) == fmt.Sprint(nothing) {
				return false
			}
			own.Results.set(task, nothing)
			return true
		})},
		{"a result left out", some(func(own *share[T], task int) bool { own.Results.remove(task); return true })},
		{"a result swapped with a neighbour's", between(func(a, b *share[T]) bool {
			if len(a.Tasks) == 0 || len(b.Tasks) == 0 {
				return false
			}
			ours, first := a.Results.of(a.Tasks[0])
			theirs, second := b.Results.of(b.Tasks[0])
			if !first || !second {
				return false
			}
			a.Results.set(a.Tasks[0], theirs)
			b.Results.set(b.Tasks[0], ours)
			return true
		})},
		{"a result on a rank that has not got the task", between(func(a, b *share[T]) bool {
			if len(a.Results) == 0 {
				return false
			}
			b.Results.set(a.Results[0].Task, a.Results[0].Got)
			return true
		})},
	}
}

// ofNumbers are those of results that are lists of numbers.
func ofNumbers() []corruption {
	some := func(least int, change func([]int64) []int64) func(*leavings) bool {
		return somewhere(func(_ *leavings, _ int, own *share[[]int64]) bool {
			for _, task := range own.Results.tasks() {
				if got, _ := own.Results.of(task); len(got) >= least {
					own.Results.set(task, change(slices.Clone(got)))
					return true
				}
			}
			return false
		})
	}
	return []corruption{
		{"a result is all zeros", some(1, func(got []int64) []int64 { clear(got); return got })},
		{"the last number left out", some(1, func(got []int64) []int64 { return got[:len(got)-1] })},
		{"the last number doubled", some(1, func(got []int64) []int64 { return append(got, got[len(got)-1]) })},
		{"two numbers swapped", some(2, func(got []int64) []int64 { got[0], got[1] = got[1], got[0]; return got })},
		{"the order of numbers reversed", some(2, func(got []int64) []int64 { slices.Reverse(got); return got })},
	}
}

// ofTasks are those of who does what.
func ofTasks[T any]() []corruption {
	return []corruption{
		{"a rank has not come to its end", somewhere(func(_ *leavings, _ int, own *share[T]) bool { own.Done = false; return true })},
		{"a rank ends with an error", somewhere(func(_ *leavings, _ int, own *share[T]) bool { own.Error = "revoked"; return true })},
		{"a task with nobody", somewhere(func(_ *leavings, _ int, own *share[T]) bool {
			own.Results.remove(own.Tasks[0])
			own.Tasks = own.Tasks[1:]
			return true
		})},
		{"a task with two ranks", between(func(a, b *share[T]) bool {
			task := a.Tasks[0]
			b.Tasks = append(b.Tasks, task)
			if result, has := a.Results.of(task); has {
				b.Results.set(task, result)
			}
			return true
		})},
		{"a task with another rank", between(func(a, b *share[T]) bool {
			task := a.Tasks[0]
			a.Tasks, b.Tasks = a.Tasks[1:], append(b.Tasks, task)
			if result, has := a.Results.of(task); has {
				a.Results.remove(task)
				b.Results.set(task, result)
			}
			return true
		})},
		{"a result where there should be none", somewhere(func(_ *leavings, _ int, own *share[T]) bool {
			if len(own.Results) > 0 {
				return false
			}
			var nothing T
			own.Results.set(own.Tasks[0], nothing)
			return true
		})},
		{"a task with a rank that is gone", func(x *leavings) bool {
			for _, rank := range x.live() {
				own := notes[share[T]](x, rank)
				if own == nil || len(own.Moved) == 0 {
					return false
				}
				for task := range own.Moved {
					own.Tasks = slices.DeleteFunc(own.Tasks, func(t int) bool { return t == task })
					own.Results.remove(task)
				}
				own.Moved = nil
				note(x, rank, own)
			}
			return true
		}},
		{"a rank knows of nobody who is gone", somewhere(func(_ *leavings, _ int, own *share[T]) bool {
			known := len(own.Gone) > 0
			own.Gone = nil
			return known
		})},
	}
}

// ofReductions are those of results that list ranks.
func ofReductions() []corruption {
	changed := func(change func(list string) string) func(*leavings) bool {
		return somewhere(func(_ *leavings, _ int, own *reduced) bool {
			own.List = change(own.List)
			return true
		})
	}
	return []corruption{
		{"a rank is missing in the result", changed(func(list string) string { return strings.Replace(list, "15", "14", 1) })},
		{"the first rank is missing in the result", changed(func(list string) string { return strings.Replace(list, "0-", "1-", 1) })},
		{"a rank is in the result twice", changed(func(list string) string { return list + ",15" })},
		{"ranks are in the result in reverse", changed(func(list string) string {
			parts := strings.Split(list, ",")
			slices.Reverse(parts)
			if len(parts) == 1 {
				parts = []string{"8-15", "0-7"}
			}
			return strings.Join(parts, ",")
		})},
		{"there is no result", somewhere(func(_ *leavings, _ int, own *reduced) bool { own.Complete = false; return true })},
		{"the result is empty", changed(func(string) string { return "" })},
	}
}

// ofSeries are those of broadcasts in a row.
func ofSeries() []corruption {
	return []corruption{
		{"a rank misses a broadcast", somewhere(func(_ *leavings, rank int, own *seriesNotes) bool { own.Got--; return rank > 0 })},
		{"a rank is late for a broadcast", somewhere(func(_ *leavings, rank int, own *seriesNotes) bool { own.Late++; return rank > 0 })},
	}
}

// ofRecords are those of views.
func ofRecords() []corruption {
	some := func(change func(x *leavings, rank int, own *membership.Record) bool) func(*leavings) bool {
		return somewhere(change)
	}
	return []corruption{
		{"a view that is stale", some(func(_ *leavings, _ int, own *membership.Record) bool {
			stale := own.View != ""
			own.View = ""
			return stale
		})},
		{"a view without a member", some(func(x *leavings, rank int, own *membership.Record) bool {
			other := x.live()[len(x.live())-1]
			own.View = own.View.With(other, own.View.Number(other)+1)
			return rank != other
		})},
		{"a view with a failed rank in it", some(func(x *leavings, _ int, own *membership.Record) bool {
			for _, f := range x.rep.Failed {
				own.View = own.View.With(f.Rank, own.View.Number(f.Rank)+1)
				return true
			}
			return false
		})},
		{"a view of another number", some(func(x *leavings, rank int, own *membership.Record) bool {
			own.View = own.View.With(rank, own.View.Number(rank)+2)
			return true
		})},
		{"a rank that has aborted goes on", some(func(_ *leavings, _ int, own *membership.Record) bool {
			aborted := own.Aborted
			own.Aborted, own.Member = false, true
			own.Stays[len(own.Stays)-1].To = clock.Never
			return aborted
		})},
		{"a rank is no member", some(func(_ *leavings, _ int, own *membership.Record) bool { own.Member = false; return true })},
		{"a rank installs a view that it was not told of", some(func(_ *leavings, rank int, own *membership.Record) bool {
			for i := range own.Installed {
				own.Installed[i].View = own.Installed[i].View.With(rank, own.Installed[i].View.Number(rank)+2)
				return true
			}
			return false
		})},
		{"a rank installs a view without itself", some(func(_ *leavings, rank int, own *membership.Record) bool {
			for i := range own.Installed {
				v := &own.Installed[i]
				v.View = v.View.With(rank, v.View.Number(rank)+1)
				v.Message = v.View
				return true
			}
			return false
		})},
		{"a rank installs a view twice", some(func(_ *leavings, _ int, own *membership.Record) bool {
			if len(own.Installed) == 0 {
				return false
			}
			own.Installed = append(own.Installed, own.Installed[len(own.Installed)-1])
			return true
		})},
	}
}

// ofOthers are those of what only one protocol has.
func ofOthers() []corruption {
	return []corruption{
		{"a broadcast is said to be complete too soon", somewhere(func(_ *leavings, _ int, own *completion) bool { own.At = 1; return true })},
		{"an attempt without a failure", somewhere(func(_ *leavings, _ int, own *completion) bool { own.Attempts += 2; return true })},
		{"a measurement left out", somewhere(func(_ *leavings, _ int, own *calibration.Samples) bool {
			own.RoundTrips = own.RoundTrips[1:]
			return true
		})},
		{"a measurement flipped", somewhere(func(_ *leavings, _ int, own *calibration.Samples) bool {
			own.RoundTrips[0] ^= 1
			return true
		})},
	}
}
