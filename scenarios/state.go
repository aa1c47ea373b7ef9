package scenarios

import (
	"bytes"
	"encoding/gob"
	"fmt"
)

// State is what ranks leave behind that is not part of a report, and that guarantees and figures
// look at. It matters where each rank is a process with memory of its own: what a rank has left is
// saved there, and loaded into an experiment of the same line in the process that judges the run.
//
// Both are called after Prepare, and Save when the rank does nothing any more. What a failed rank
// has left may be lost with it. All is then as Prepare has left it, and guarantees must do without:
// they promise nothing about what failed ranks hold.
type State interface {
	// Save returns what a rank has left behind; nothing if that is nothing.
	Save(rank int) ([]byte, error)
	// Load puts back what Save has returned. It refuses what no rank can have left.
	Load(rank int, data []byte) error
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

// PerRank is a State of one value for each rank: save returns what a rank has left, nil if it is
// nothing, and load takes it over, or says what is wrong with it. The value travels as gob, so its
// fields are exported.
func PerRank[T any](ranks int, save func(rank int) *T, load func(rank int, left *T) error) State {
	return perRank[T]{ranks, save, load}
}

type perRank[T any] struct {
	ranks int
	save  func(rank int) *T
	load  func(rank int, left *T) error
}

func (s perRank[T]) Save(rank int) ([]byte, error) {
	if err := s.checkRank(rank); err != nil {
		return nil, err
	}
	left := s.save(rank)
	if left == nil {
		return nil, nil
	}
	var data bytes.Buffer
	if err := gob.NewEncoder(&data).Encode(left); err != nil {
		return nil, fmt.Errorf("scenarios: cannot save what rank %d has left: %w", rank, err)
	}
	return data.Bytes(), nil
}

func (s perRank[T]) Load(rank int, data []byte) error {
	if err := s.checkRank(rank); err != nil || len(data) == 0 {
		return err
	}
	left, err := decode[T](data)
	if err == nil {
		err = s.load(rank, left)
	}
	if err != nil {
		return fmt.Errorf("scenarios: cannot load what rank %d has left: %w", rank, err)
	}
	return nil
}

func (s perRank[T]) checkRank(rank int) error {
	if rank < 0 || rank >= s.ranks {
		return fmt.Errorf("scenarios: state of rank %d, want 0 to %d", rank, s.ranks-1)
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

// OfRoot is a State of one value that only the root leaves. check says what is wrong with one.
func OfRoot[T any](ranks, root int, value *T, check func(*T) error) State {
	return PerRank(ranks, func(rank int) *T {
		if rank != root {
			return nil
		}
		return value
	}, func(rank int, left *T) error {
		if rank != root {
			return fmt.Errorf("only root %d leaves something", root)
		}
		if err := check(left); err != nil {
			return err
		}
		*value = *left
		return nil
	})
}
