package main

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// execute tries all mistakes, some at a time, and prints those that survive.
func execute(o options, b *bench, plans []planned) ([]score, error) {
	suites, err := b.measureAll(plans)
	if err != nil {
		return nil, err
	}
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
				end, err := b.tryAll(suites, p, m, o.timeout)
				guard.Lock()
				defer guard.Unlock()
				wrong = errors.Join(wrong, err)
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

// tryAll has suites look at a mistake until one notices it.
func (b *bench) tryAll(suites map[string]suite, p planned, m mutant, atMost time.Duration) (ending, error) {
	for _, dir := range append([]string{p.unit.dir}, p.also...) {
		if end, err := b.try(suites[dir], m, atMost); end != passed || err != nil {
			return end, err
		}
	}
	return passed, nil
}

// measureAll runs all suites as they are.
func (b *bench) measureAll(plans []planned) (map[string]suite, error) {
	suites := make(map[string]suite)
	for _, p := range plans {
		for _, dir := range append([]string{p.unit.dir}, p.also...) {
			if _, ok := suites[dir]; ok {
				continue
			}
			s, err := b.measure(dir)
			if err != nil {
				return nil, err
			}
			suites[dir] = s
		}
	}
	return suites, nil
}
