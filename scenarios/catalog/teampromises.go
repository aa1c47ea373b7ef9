package catalog

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/report"
)

// promises are those of computations on teams.
func (w *teamwork[T]) promises() []guarantee.Guarantee {
	needs := append(needsBy(w.agreement), detectable(w.detector))
	lasting, stands := needs, standsBy(w.agreement)
	if w.strategy.respawn {
		needs = append(needs, startedAgain)
		lasting = needs
	}
	if w.strategy.collective == collective.Plain {
		lasting = append(premises{guarantee.NobodyFails}, needs...) // plain operations end with an error otherwise
	}
	return []guarantee.Guarantee{
		guarantee.Promise{Guarantee: guarantee.VerdictFunc("results are those of a run without failures", false, w.judge), Premises: lasting, Stands: stands},
		guarantee.Promise{Guarantee: guarantee.VerdictFunc("every task is done by one rank that is there", false, w.judgeTasks), Premises: lasting, Stands: stands},
		guarantee.Promise{Guarantee: guarantee.NoDeadlock{}, Premises: needs, Stands: stands},
		guarantee.Integrity{},
	}
}

// detectable is met if the detector notices all failures, and only these.
func detectable(d emu.Detection) guarantee.Premise {
	return guarantee.Premise{Says: "the failure detector notices all failures, and nothing else", Unmet: func(run guarantee.Run) string {
		for _, f := range run.Report.Failed {
			if f.Outcome == report.Hung && !d.Hangs {
				return fmt.Sprintf("not that %s", f)
			}
		}
		for f := range run.Report.Fired() {
			if d.Slow && f.Kind == faults.Slow { // of noise it notices nothing
				return "it takes slow ranks for failed"
			}
		}
		return ""
	}}
}

// startedAgain is met if all that have failed are back.
var startedAgain = guarantee.Premise{Says: "whoever fails is started again", Unmet: func(run guarantee.Run) string {
	for _, f := range run.Report.Failed {
		return fmt.Sprintf("%s and is not", f)
	}
	return ""
}}

// judge looks at the results of all live ranks. A rank that has failed took those of its tasks
// with it.
func (w *teamwork[T]) judge(run guarantee.Run) guarantee.Verdict {
	results := make(map[int]T, len(w.shares))
	live := 0
	for rank := range run.Report.Live() {
		if w.shares[rank].Spare {
			continue
		}
		live++
		if wrong := w.flaw(&w.shares[rank]); wrong != "" {
			return guarantee.Verdict{Evidence: fmt.Sprintf("rank %d: %s", rank, wrong)}
		}
		w.shares[rank].Results.copyTo(results)
	}
	switch {
	case live == 0:
		return notClaimed("no rank is left")
	case len(results) == 0:
		return notClaimed("the rank that had the result failed at the end")
	}
	if w.together != nil {
		if wrong := w.together(results); wrong != "" {
			return guarantee.Verdict{Evidence: wrong}
		}
	}
	return guarantee.Verdict{Value: guarantee.Held, Evidence: fmt.Sprintf("%s of %s compared", text.Count(len(results), "result"), text.Count(live, "live rank"))}
}

// flaw says what is wrong with what a live rank has; "" if nothing is.
func (w *teamwork[T]) flaw(own *share[T]) string {
	switch {
	case !own.Done:
		return "it has not come to the end"
	case own.Error != "":
		return own.Error
	}
	for _, task := range own.Tasks {
		if _, has := own.Results.search(task); !has && w.has(task) {
			return fmt.Sprintf("task %d has no result", task)
		}
	}
	for _, one := range own.Results {
		task := one.Task
		switch {
		case !w.has(task):
			return fmt.Sprintf("task %d has a result, and should have none", task)
		case !slices.Contains(own.Tasks, task):
			return fmt.Sprintf("it has a result of task %d, which is not one of its tasks", task)
		}
		if wrong := w.wrong(task, one.Got); wrong != "" {
			return fmt.Sprintf("task %d: %s", task, wrong)
		}
	}
	return ""
}

// nobody does a task whose rank has failed.
const nobody = -1

// judgeTasks looks at who does which task in the end. A task may be with a rank that has failed only if nobody has noticed
// that: the rank failed at the very end.
func (w *teamwork[T]) judgeTasks(run guarantee.Run) guarantee.Verdict {
	var first *share[T] // of the live ranks
	doneBy := slices.Repeat([]int{nobody}, len(w.shares))
	for rank := range run.Report.Live() {
		own := &w.shares[rank]
		if own.Spare {
			continue
		}
		if !own.Done || own.Error != "" {
			return guarantee.Verdict{Evidence: fmt.Sprintf("rank %d: %s", rank, w.flaw(own))}
		}
		if first == nil {
			first = own
		}
		if !maps.Equal(own.Moved, first.Moved) || !slices.Equal(own.Gone, first.Gone) {
			return guarantee.Verdict{Evidence: fmt.Sprintf("rank %d knows of other ranks that have left, or of other tasks that were taken over, than others do", rank)}
		}
		for _, task := range own.Tasks {
			if other := doneBy[task]; other != nobody {
				return guarantee.Verdict{Evidence: fmt.Sprintf("task %d is done by ranks %d and %d", task, other, rank)}
			}
			doneBy[task] = rank
		}
	}
	if first == nil {
		return notClaimed("no rank is left")
	}
	return w.judgeOwners(run.Report, first, doneBy)
}

// judgeOwners compares who does each task with who should.
func (w *teamwork[T]) judgeOwners(rep *report.Report, known *share[T], doneBy []int) guarantee.Verdict {
	lost := 0
	for task, rank := range doneBy {
		owner, moved := known.Moved[task]
		if !moved {
			owner = task
		}
		failure, failed := rep.FailureOf(owner)
		failed = failed || w.shares[owner].Spare // it has failed at the end, and come back for nothing
		switch {
		case rank != nobody && rank != owner:
			return guarantee.Verdict{Evidence: fmt.Sprintf("task %d is done by rank %d, and should be by rank %d", task, rank, owner)}
		case rank == nobody && !failed:
			return guarantee.Verdict{Evidence: fmt.Sprintf("task %d is done by nobody, and should be by rank %d", task, owner)}
		case failed && slices.Contains(known.Gone, owner):
			return guarantee.Verdict{Evidence: fmt.Sprintf("task %d is with nobody: %s, which all know", task, failure)}
		case failed:
			lost++
		}
	}
	return guarantee.Verdict{Value: guarantee.Held, Evidence: fmt.Sprintf("%s, %d taken over, %d with ranks that failed at the end", text.Count(len(doneBy), "task"), len(known.Moved), lost)}
}
