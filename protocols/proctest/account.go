package proctest

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/mangrove-emu/mangrove/report"
)

// account is what one process knows of a run.
type account[T any] struct {
	Failed string          // why the run has failed; "": it has not
	End    *ending         // nil if this process has not been told
	Pages  map[int]page[T] // of ranks that have run here
}

// ending is all that cases ask of a report.
type ending struct {
	Deadlock string // the first of them; "": none
	Outcomes []report.Outcome
	Unfired  []string
}

func endingOf(rep *report.Report) *ending {
	if rep == nil {
		return nil
	}
	var e ending
	if len(rep.Deadlocks) > 0 {
		e.Deadlock = rep.Deadlocks[0].String()
	}
	for _, r := range rep.Ranks {
		e.Outcomes = append(e.Outcomes, r.Outcome)
	}
	for _, f := range rep.Unfired {
		e.Unfired = append(e.Unfired, f.String())
	}
	return &e
}

// observations are what all ranks have noted down in a run, and how it went.
type observations[T any] struct {
	aftermath
	by []T // rank
}

// aftermath is how a run went.
type aftermath struct {
	trouble   error // it failed, or processes do not agree about it
	strangers []int // that are no ranks of this machine
	returned  []int // how often the program of each rank has
	ending
}

// merge puts together what all processes know of a run. All of them come to the same, as all have the same accounts.
func merge[T any](ranks int, all []account[T]) (o observations[T]) {
	o.by, o.returned = make([]T, ranks), make([]int, ranks)
	o.ending, o.trouble = agreed(ranks, all)
	in := make(map[int]int)
	for process, a := range all {
		for _, rank := range slices.Sorted(maps.Keys(a.Pages)) {
			if rank < 0 || rank >= ranks {
				o.strangers = append(o.strangers, rank)
				continue
			}
			if other, twice := in[rank]; twice && o.trouble == nil {
				o.trouble = fmt.Errorf("rank %d ran in process %d and in process %d", rank, other, process)
			}
			in[rank], o.by[rank], o.returned[rank] = process, a.Pages[rank].Noted, a.Pages[rank].Returned
		}
	}
	return o
}

// agreed is how a run ended, if no process says that it failed and all reports are the same.
func agreed[T any](ranks int, all []account[T]) (ending, error) {
	var trouble []error
	var end *ending
	for process, a := range all {
		switch {
		case a.Failed != "" && len(all) > 1:
			trouble = append(trouble, fmt.Errorf("process %d: %s", process, a.Failed))
		case a.Failed != "":
			trouble = append(trouble, errors.New(a.Failed))
		case a.End == nil:
		case end == nil:
			end = a.End
		case !reflect.DeepEqual(a.End, end):
			trouble = append(trouble, fmt.Errorf("process %d has a report of %+v, and another process one of %+v", process, *a.End, *end))
		}
	}
	switch {
	case len(trouble) > 0:
	case end == nil:
		trouble = append(trouble, errors.New("there is no report"))
	case len(end.Outcomes) != ranks:
		trouble = append(trouble, fmt.Errorf("the report has %d ranks, want %d", len(end.Outcomes), ranks))
	default:
		return *end, nil
	}
	return ending{Outcomes: make([]report.Outcome, ranks)}, errors.Join(trouble...)
}
