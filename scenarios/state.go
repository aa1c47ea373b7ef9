package scenarios

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
)

// State is what ranks leave behind that is not part of a report, and that guarantees and measures
// look at. It matters where each rank is a process with memory of its own: what a rank has left is
// saved there, and loaded into an experiment of the same line in the process that judges the run.
//
// Both are called after Reset, and Save when the rank does nothing any more. What a failed rank
// has left may be lost with it. All is then as Reset has left it, and guarantees must do without:
// they promise nothing about what failed ranks hold.
type State interface {
	// Reset forgets an earlier run. It comes before each.
	Reset()
	// Save returns what a rank has left behind; nothing if that is nothing.
	Save(rank int) ([]byte, error)
	// Load puts back what Save has returned. It refuses what no rank can have left.
	Load(rank int, data []byte) error
}

// A State that is part of something larger is found by its method Unwrap, as errors are.
type wrappedState interface{ Unwrap() State }

// inner is a State without anything around it.
func inner(s State) State {
	for {
		outer, ok := s.(wrappedState)
		if !ok {
			return s
		}
		s = outer.Unwrap()
	}
}

// Save returns what a rank has left behind, see [State].
func (r *Run) Save(rank int) ([]byte, error) {
	if r.experiment.State == nil {
		return nil, nil
	}
	return r.experiment.State.Save(rank)
}

// Load puts back what Save has returned for the same line, see [State].
func (r *Run) Load(rank int, data []byte) error {
	switch {
	case r.experiment.State != nil:
		return r.experiment.State.Load(rank, data)
	case len(data) > 0:
		return fmt.Errorf("scenarios: %d bytes of rank %d, want none: %s keeps nothing", len(data), rank, r.protocol.Name)
	}
	return nil
}

// PerRank is a State of one value for each rank. The value travels as gob, so its fields are
// exported.
type PerRank[T any] struct {
	Ranks  int
	Forget func()                        // an earlier run
	Left   func(rank int) *T             // what a rank has left; nil if it is nothing
	Take   func(rank int, left *T) error // takes it over, or says what is wrong with it
	// Over, if there is one, is told how a run has ended before its ranks are asked what they have left. Where ranks have processes of their own
	// nobody knows.
	Over func(Ending)

	sole *int // the only rank that leaves anything; nil if all may
}

// Ending is how a run has ended: what somebody may want to know to whom ranks leave something.
type Ending struct {
	Failed  []int // ranks, ascending
	Waiting bool  // for ever; somebody does
}

// whenOver is what is to be told how a run has ended; nil if that is nothing.
func (s PerRank[T]) whenOver() func(Ending) { return s.Over }

// soleLeaver is the only rank that leaves anything, if that is so.
func (s PerRank[T]) soleLeaver() (rank int, ok bool) {
	if s.sole == nil {
		return 0, false
	}
	return *s.sole, true
}

// Reset forgets an earlier run.
func (s PerRank[T]) Reset() { s.Forget() }

// Save returns what a rank has left.
func (s PerRank[T]) Save(rank int) ([]byte, error) {
	if err := s.checkRank(rank); err != nil {
		return nil, err
	}
	left := s.Left(rank)
	if left == nil {
		return nil, nil
	}
	var data bytes.Buffer
	if err := gob.NewEncoder(&data).Encode(left); err != nil {
		return nil, fmt.Errorf("scenarios: cannot save what rank %d has left: %w", rank, err)
	}
	return data.Bytes(), nil
}

// Load takes over what Save has returned.
func (s PerRank[T]) Load(rank int, data []byte) error {
	if err := s.checkRank(rank); err != nil || len(data) == 0 {
		return err
	}
	left, err := decode[T](data)
	if err == nil {
		err = s.Take(rank, left)
	}
	if err != nil {
		return fmt.Errorf("scenarios: cannot load what rank %d has left: %w", rank, err)
	}
	return nil
}

// saveBlock is Save of consecutive ranks: what they have in common is saved once.
func (s PerRank[T]) saveBlock(first, count int) ([]byte, error) {
	var data bytes.Buffer
	encoder := gob.NewEncoder(&data)
	for rank := first; rank < first+count; rank++ {
		if left := s.Left(rank); left != nil {
			if err := errors.Join(encoder.Encode(rank), encoder.Encode(left)); err != nil {
				return nil, fmt.Errorf("scenarios: cannot save what rank %d has left: %w", rank, err)
			}
		}
	}
	return data.Bytes(), nil
}

// loadBlock takes over what saveBlock has returned for the same ranks.
func (s PerRank[T]) loadBlock(first, count int, data []byte) error {
	decoder := gob.NewDecoder(bytes.NewReader(data))
	for {
		rank, left := 0, new(T)
		if err := decoder.Decode(&rank); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("scenarios: cannot load what ranks from %d on have left: %w", first, err)
		}
		if rank < first || rank >= first+count {
			return fmt.Errorf("scenarios: state of rank %d, want %d to %d", rank, first, first+count-1)
		}
		err := decoder.Decode(left)
		if err == nil {
			err = s.Take(rank, left)
		}
		if err != nil {
			return fmt.Errorf("scenarios: cannot load what rank %d has left: %w", rank, err)
		}
	}
}

func (s PerRank[T]) checkRank(rank int) error {
	if rank < 0 || rank >= s.Ranks {
		return fmt.Errorf("scenarios: state of rank %d, want 0 to %d", rank, s.Ranks-1)
	}
	return nil
}

// decode reads one value, and nothing else.
func decode[T any](data []byte) (*T, error) {
	value, rest := new(T), bytes.NewReader(data)
	if err := gob.NewDecoder(rest).Decode(value); err != nil {
		return nil, fmt.Errorf("%d bytes: %w", len(data), err)
	}
	if rest.Len() > 0 {
		return nil, fmt.Errorf("%d bytes, of which the last %d belong to nothing", len(data), rest.Len())
	}
	return value, nil
}

// OfRoot is a State of one value that only the root leaves. What it is now is what it is before each
// run. check says what is wrong with one.
func OfRoot[T any](ranks, root int, value *T, check func(*T) error) State {
	blank := *value
	return PerRank[T]{
		sole:   &root,
		Ranks:  ranks,
		Forget: func() { *value = blank },
		Left: func(rank int) *T {
			if rank != root {
				return nil
			}
			return value
		},
		Take: func(rank int, left *T) error {
			if rank != root {
				return fmt.Errorf("only root %d leaves something", root)
			}
			if err := check(left); err != nil {
				return err
			}
			*value = *left
			return nil
		},
	}
}
