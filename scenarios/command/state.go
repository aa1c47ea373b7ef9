package command

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/internal/wholefile"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// stateFile is where the state of an exploration is kept. A nil stateFile keeps nothing.
type stateFile struct {
	path  string
	state *search.State
}

// openState reads the state that an earlier command has left, and makes sure, before a long
// exploration, that it can be kept.
func openState(path string, state *search.State, registry scenarios.Registry) (*stateFile, error) {
	if path == "" {
		return nil, nil
	}
	old, err := search.ReadState(path)
	if err != nil {
		return nil, aboutState(err)
	}
	if old != nil {
		if different := differences(state, old, registry); len(different) > 0 {
			return nil, fmt.Errorf("--state %s is of another exploration: %s; want another file", path, strings.Join(different, ", "))
		}
		state.Found = old.Found
	}
	s := &stateFile{path, state}
	if s.path, err = wholefile.Check(path); err != nil {
		return nil, s.problem(err)
	}
	return s, nil
}

// aboutState says what is wrong with a state.
func aboutState(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("cannot read the state: %w", err)
	}
	return fmt.Errorf("--state %w", err)
}

// found is what an earlier command has found, if anything.
func (s *stateFile) found() *search.Exploration {
	if s == nil {
		return nil
	}
	return s.state.Found
}

// store keeps what has been found.
func (s *stateFile) store(found *search.Exploration) error {
	if s == nil {
		return nil
	}
	s.state.Found = found
	if err := s.state.Write(s.path); err != nil {
		return s.problem(err)
	}
	return nil
}

func (s *stateFile) problem(err error) error {
	return fmt.Errorf("cannot keep the state in %s: %w", s.path, unwritten(err))
}

// differences lists in which words and flags two explorations differ. The order of words and
// defaults that are typed make no difference.
func differences(here, there *search.State, registry scenarios.Registry) []string {
	all := differentKeys(here.Line, there.Line, registry)
	flagsHere, flagsThere := flagsOf(here), flagsOf(there)
	for i, flag := range flagsHere {
		if flag != flagsThere[i] {
			all = append(all, fmt.Sprintf("%s there, %s here", flagsThere[i], flag))
		}
	}
	return all
}

// flagsOf lists what else than a line asks for an exploration, each in its place.
func flagsOf(s *search.State) []string {
	return []string{
		boundWords(s.Bounds),
		fmt.Sprintf("--seeds %d", max(1, s.Seeds)),
		fmt.Sprintf("--max-late %d", s.Instants.MaxLate),
		"--kinds " + strings.Join(s.Kinds, ","),
		fmt.Sprintf("--before %d", s.Instants.Before),
		typedTicks("rejoin", s.Instants.Rejoins),
		typedTicks("cut", s.Instants.Cuts),
		withOrWithout("--every", s.Every),
		withOrWithout("--orders", s.Orders),
		withOrWithout("--roots", s.Roots),
		withOrWithout("--check", s.Twice),
	}
}

func withOrWithout(flag string, with bool) string {
	if with {
		return flag
	}
	return "no " + flag
}

// differentKeys compares two lines key by key.
func differentKeys(here, there string, registry scenarios.Registry) []string {
	a, errA := registry.ParseLine(here)
	b, errB := registry.ParseLine(there)
	if errA != nil || errB != nil || a.Protocol().Name != b.Protocol().Name {
		return []string{fmt.Sprintf("%s there, %s here", there, here)}
	}
	var all []string
	for _, key := range a.Protocol().AllKeys() {
		if x, y := a.Settings().Text(key.Name), b.Settings().Text(key.Name); x != y {
			all = append(all, fmt.Sprintf("%s=%s there, %s=%s here", key.Name, y, key.Name, x))
		}
	}
	return all
}
