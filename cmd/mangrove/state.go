package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/internal/wholefile"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// exploreState is what is kept of an exploration between commands.
type exploreState struct {
	Line         string              `json:"line"`
	Faults       int                 `json:"faults"`
	Every, Roots bool                `json:",omitempty"`
	Check        bool                `json:"check,omitempty"`
	Kinds        []string            `json:"kinds"`
	Outside      fromOutside         `json:"outside"`
	Found        *search.Exploration `json:"found"`
}

func newExploreState(run *scenarios.Run, most int, f exploreFlags) exploreState {
	return exploreState{Line: run.String(), Faults: most, Every: f.every, Roots: f.roots, Check: f.check, Kinds: kindNames(f.kinds), Outside: f.fromOutside}
}

// differences lists what another state is about that this one is not. The order of words and
// defaults that are typed make no difference.
func (s *exploreState) differences(old *exploreState, registry scenarios.Registry) []string {
	var all []string
	differ := func(here, there string) {
		if here != there {
			all = append(all, fmt.Sprintf("%s there, %s here", there, here))
		}
	}
	all = append(all, differentKeys(s.Line, old.Line, registry)...)
	differ(fmt.Sprintf("faults<=%d", s.Faults), fmt.Sprintf("faults<=%d", old.Faults))
	differ("--kinds "+strings.Join(s.Kinds, ","), "--kinds "+strings.Join(old.Kinds, ","))
	differ(fmt.Sprintf("--before %d", s.Outside.Before), fmt.Sprintf("--before %d", old.Outside.Before))
	differ(s.Outside.Rejoin.typed("rejoin"), old.Outside.Rejoin.typed("rejoin"))
	differ(s.Outside.Cut.typed("cut"), old.Outside.Cut.typed("cut"))
	differ(withOrWithout("--every", s.Every), withOrWithout("--every", old.Every))
	differ(withOrWithout("--roots", s.Roots), withOrWithout("--roots", old.Roots))
	differ(withOrWithout("--check", s.Check), withOrWithout("--check", old.Check))
	return all
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

// stateFile is where the state of an exploration is kept. A nil stateFile keeps nothing.
type stateFile struct {
	path  string
	state exploreState
}

// maxState is how large a state may be, in bytes: one of some 50 million runs.
const maxState = 1 << 30

// openState reads the state that an earlier command has left, and makes sure, before a long
// exploration, that it can be kept.
func openState(path string, want exploreState, registry scenarios.Registry) (*stateFile, error) {
	if path == "" {
		return nil, nil
	}
	s := &stateFile{path, want}
	old, err := readState(path)
	if err != nil {
		return nil, err
	}
	if old != nil {
		if different := want.differences(old, registry); len(different) > 0 {
			return nil, fmt.Errorf("--state %s is of another exploration: %s; want another file", path, strings.Join(different, ", "))
		}
		s.state.Found = old.Found
	}
	if s.path, err = wholefile.Check(path); err != nil {
		return nil, s.problem(err)
	}
	return s, nil
}

// readState reads a state; nil if there is no such file.
func readState(path string) (*exploreState, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("cannot read the state: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("--state %s: want an ordinary file", path)
	case info.Size() > maxState:
		return nil, fmt.Errorf("--state %s has %d bytes, want up to %d: it is not the state of an exploration", path, info.Size(), maxState)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the state: %w", err)
	}
	var old exploreState
	if err := json.Unmarshal(text, &old); err != nil || old.Found == nil {
		return nil, fmt.Errorf("--state %s is not the state of an exploration", path)
	}
	slices.Sort(old.Kinds)
	return &old, nil
}

// found is what an earlier command has found, if anything.
func (s *stateFile) found() *search.Exploration {
	if s == nil {
		return nil
	}
	return s.state.Found
}

// store keeps the state. The file is complete at any time.
func (s *stateFile) store(found *search.Exploration) error {
	if s == nil {
		return nil
	}
	s.state.Found = found
	text, err := json.Marshal(s.state)
	if err == nil {
		err = wholefile.Write(s.path, text)
	}
	if err != nil {
		return s.problem(err)
	}
	return nil
}

func (s *stateFile) problem(err error) error {
	return fmt.Errorf("cannot keep the state in %s: %w", s.path, err)
}
