package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// suite are the tests of a package.
type suite struct {
	bench *bench
	dir   string
	// Without a mistake, when that is first needed: the test program, and how long it takes.
	program     func() (string, error)
	short, full func() (time.Duration, error)
}

func newSuite(b *bench, dir string) *suite {
	s := &suite{bench: b, dir: dir}
	s.program = sync.OnceValues(func() (string, error) { return b.compile(dir, nil) })
	s.short = sync.OnceValues(func() (time.Duration, error) { return s.measure(true) })
	s.full = sync.OnceValues(func() (time.Duration, error) { return s.measure(false) })
	return s
}

// longest is the time that tests without a mistake may take.
const longest = 20 * time.Minute

// measure runs the tests as they are.
func (s *suite) measure(short bool) (time.Duration, error) {
	program, err := s.program()
	if err != nil || program == "" {
		return 0, err
	}
	begin := time.Now()
	if end, printed := s.bench.runShowing(program, s.dir, longest, short); end != passed {
		return 0, fmt.Errorf("the tests of %s fail without any mistake (short: %t):\n%s", s.dir, short, printed)
	}
	return time.Since(begin), nil
}

// try has the tests look at a mistake: with -short first, which is soon over, as are most mistakes, then all if that is wanted.
func (s *suite) try(m mutant, all bool, atMost time.Duration) (ending, error) {
	program, err := s.bench.compile(s.dir, &m)
	if err != nil || program == "" {
		return passed, err
	}
	defer os.RemoveAll(filepath.Dir(program))
	end, err := s.runAs(program, true, atMost)
	if end == passed && err == nil && all {
		return s.runAs(program, false, atMost)
	}
	return end, err
}

// runAs runs a test program with a mistake, for as long as one without may take.
func (s *suite) runAs(program string, short bool, atMost time.Duration) (ending, error) {
	usual := s.full
	if short {
		usual = s.short
	}
	took, err := usual()
	if err != nil {
		return passed, err
	}
	return s.bench.run(program, s.dir, patience(took, atMost), short), nil
}

// patience is how long tests may take that take so long without a mistake: many times as long, so that it is not a slow machine
// that notices.
func patience(usual, atMost time.Duration) time.Duration {
	return min(atMost, 10*time.Second+8*usual)
}
