package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// suite are the tests of a package, and how long they take without a mistake.
type suite struct {
	dir         string
	short, full time.Duration
}

// measure runs the tests of a package as they are.
func (b *bench) measure(dir string) (suite, error) {
	program, err := b.compile(dir, nil)
	if err != nil || program == "" {
		return suite{dir: dir}, err
	}
	defer os.RemoveAll(filepath.Dir(program))
	s := suite{dir: dir}
	for _, one := range []struct {
		short bool
		took  *time.Duration
	}{{true, &s.short}, {false, &s.full}} {
		begin := time.Now()
		if b.run(program, dir, longest, one.short) != passed {
			return s, fmt.Errorf("the tests of %s fail without any mistake (short: %t)", dir, one.short)
		}
		*one.took = time.Since(begin)
	}
	return s, nil
}

// longest is the time that tests without a mistake may take.
const longest = 20 * time.Minute

// try has a suite look at a mistake: with -short first, which is soon over, as are most mistakes.
func (b *bench) try(s suite, m mutant, atMost time.Duration) (ending, error) {
	program, err := b.compile(s.dir, &m)
	if err != nil || program == "" {
		return passed, err
	}
	defer os.RemoveAll(filepath.Dir(program))
	if end := b.run(program, s.dir, patience(s.short, atMost), true); end != passed {
		return end, nil
	}
	return b.run(program, s.dir, patience(s.full, atMost), false), nil
}

// patience is how long tests may take that take so long without a mistake: many times as long, so that it is not a slow machine
// that notices.
func patience(usual, atMost time.Duration) time.Duration {
	return min(atMost, 10*time.Second+8*usual)
}
