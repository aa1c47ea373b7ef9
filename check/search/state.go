package search

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/wholefile"
)

// State is an exploration that is kept in a file, so that another process can go on with it, and what it is about.
type State struct {
	Line string `json:"line"` // what is explored, in the words of whoever does so
	Bounds
	Seeds        int          `json:"seeds,omitempty"`
	Every, Roots bool         `json:",omitempty"`
	Orders       bool         `json:"orders,omitempty"` // see [Orders]
	Twice        bool         `json:"check,omitempty"`
	Kinds        []string     `json:"kinds"` // sorted
	Instants     Instants     `json:"outside"`
	Found        *Exploration `json:"found"`
}

// Instants are those of [ExploreOptions].
type Instants struct {
	Before  clock.Time   `json:"before,omitempty"`
	Rejoins []clock.Time `json:"rejoin,omitempty"`
	Cuts    []clock.Time `json:"cut,omitempty"`
	MaxLate clock.Time   `json:"maxLate,omitempty"`
}

// NewState is the state of an exploration that has not begun.
func NewState(line string, s *Subject, o ExploreOptions) *State {
	state := &State{
		Line: line, Bounds: Bounds{o.Faults, o.Delays, o.Losses, o.Duplicates}, Seeds: o.Seeds, Every: o.Every, Roots: o.Roots, Twice: s.Twice,
		Instants: Instants{o.Before, o.Rejoins, o.Cuts, o.MaxLate},
	}
	for _, kind := range o.Kinds {
		state.Kinds = append(state.Kinds, kind.String())
	}
	slices.Sort(state.Kinds)
	return state
}

// maxState is how large the file of a state may be, in bytes: one of some 50 million runs.
const maxState = 1 << 30

// ReadState reads a state from a file; nil if there is none.
func ReadState(path string) (*State, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: want an ordinary file", path)
	case info.Size() > maxState:
		return nil, fmt.Errorf("%s has %d bytes, want up to %d: it is not the state of an exploration", path, info.Size(), maxState)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var s State
	if err := json.Unmarshal(text, &s); err != nil || s.Found == nil {
		return nil, fmt.Errorf("%s is not the state of an exploration", path)
	}
	slices.Sort(s.Kinds)
	return &s, nil
}

// Write keeps a state in a file, which is complete at any time.
func (s *State) Write(path string) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return wholefile.Write(path, text)
}
