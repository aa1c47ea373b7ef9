package catalog

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// state is the share of each rank, and what the diary says of it.
func (w *teamwork[T]) state() scenarios.State {
	return scenarios.PerRank[share[T]]{
		Ranks: w.ranks,
		Forget: func() {
			w.shares = forget(w.shares, w.diary, w.ranks)
			clear(w.outcomes)
			w.ending = nil
		},
		Over: func(e scenarios.Ending) { w.ending = &e },
		Left: func(rank int) *share[T] {
			own := w.shares[rank]
			own.Note = noteElsewhere(w.note, rank, w.ranks, w.ending)
			return &own
		},
		Take: func(rank int, left *share[T]) error {
			if err := left.check(w.ranks); err != nil {
				return err
			}
			w.shares[rank] = *left
			return nil
		},
	}
}

// note is what a rank was in the middle of, wherever it has run.
func (w *teamwork[T]) note(rank int, failed []int) ulfm.Note {
	if note := w.shares[rank].Note; note != nil {
		return *note
	}
	return w.diary.Note(rank, failed)
}

// check refuses tasks and activities that there are not.
func (s *share[T]) check(tasks int) error {
	for _, task := range s.Tasks {
		if task < 0 || task >= tasks {
			return fmt.Errorf("task %d, want 0 to %d", task, tasks-1)
		}
	}
	before := -1
	for _, one := range s.Results {
		if one.Task < 0 || one.Task >= tasks {
			return fmt.Errorf("task %d, want 0 to %d", one.Task, tasks-1)
		}
		if one.Task <= before {
			return fmt.Errorf("a result of task %d behind that of task %d, want ascending tasks", one.Task, before)
		}
		before = one.Task
	}
	for task, rank := range s.Moved {
		if task < 0 || task >= tasks || rank < 0 || rank >= tasks {
			return fmt.Errorf("task %d taken over by rank %d, want 0 to %d", task, rank, tasks-1)
		}
	}
	for _, spent := range s.Spans {
		if spent.Activity > collective.Repairing {
			return fmt.Errorf("activity %d, want 0 to %d", spent.Activity, collective.Repairing)
		}
	}
	return nil
}
