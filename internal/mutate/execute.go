package main

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// execute tries all mistakes, some at a time, and prints those that survive.
func execute(o options, b *bench, plans []planned) ([]score, error) {
	suites := suitesOf(b, plans)
	scores := make([]score, len(plans))
	var all sync.WaitGroup
	var guard sync.Mutex // of scores, wrong and what is printed
	var wrong error
	turns := make(chan struct{}, o.parallel)
	for i, p := range plans {
		scores[i] = score{name: p.unit.dir, possible: p.possible, planted: len(p.chosen)}
		for _, m := range p.chosen {
			turns <- struct{}{}
			all.Go(func() {
				defer func() { <-turns }()
				end, err := p.try(suites, m, o.timeout)
				guard.Lock()
				defer guard.Unlock()
				if err != nil {
					wrong = errors.Join(wrong, err) // which says nothing about the mistake
					return
				}
				scores[i].count(end)
				if end == passed {
					fmt.Println(m)
				}
			})
		}
	}
	all.Wait()
	return scores, wrong
}

// suitesOf are all suites that are needed, by their folders.
func suitesOf(b *bench, plans []planned) map[string]*suite {
	suites := make(map[string]*suite)
	for _, p := range plans {
		for _, dir := range p.dirs {
			if suites[dir] == nil {
				suites[dir] = newSuite(b, dir)
			}
		}
	}
	return suites
}

// try has suites look at a mistake until one notices it. Those of other packages take long, and with -short they notice most.
func (p planned) try(suites map[string]*suite, m mutant, atMost time.Duration) (ending, error) {
	for i, dir := range p.dirs {
		if end, err := suites[dir].try(m, i == 0, atMost); end != passed || err != nil {
			return end, err
		}
	}
	return passed, nil
}
