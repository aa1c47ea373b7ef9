package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// maxFaults is how many faults a schedule of a search has at most.
const maxFaults = 999

var bound = regexp.MustCompile(`^faults<=(\d{1,3})$`)

// takeBound takes the word faults<=N off a line. The number is 0 if there is no such word.
func takeBound(words []string) (rest []string, most int, err error) {
	for _, word := range line.Fields(words) {
		match := bound.FindStringSubmatch(word)
		switch {
		case match != nil && most > 0:
			return nil, 0, fmt.Errorf("%q: faults<= is set twice", word)
		case match != nil:
			if most, _ = strconv.Atoi(match[1]); most > 0 {
				continue
			}
			fallthrough
		case strings.HasPrefix(word, "faults<"):
			return nil, 0, fmt.Errorf("%q: want faults<= and a number from 1 to %d", word, maxFaults)
		case strings.HasPrefix(word, "faults="):
			return nil, 0, fmt.Errorf("%q: the faults are what is searched for; want 'faults<=N' for how many", word)
		default:
			rest = append(rest, word)
		}
	}
	return rest, most, nil
}

// refuseBound gives advice about the word faults<=N where it makes no sense.
func refuseBound(words []string, advice func(number string) string) error {
	for _, word := range line.Fields(words) {
		if rest, ok := strings.CutPrefix(word, "faults<"); ok {
			n := strings.TrimPrefix(rest, "=")
			if !bound.MatchString(word) {
				n = "N"
			}
			return fmt.Errorf("%q: %s", word, advice(n))
		}
	}
	return nil
}

// parse reads a line to which the word faults<=N does not belong.
func (a *app) parse(words []string, advice func(number string) string) (*scenarios.Run, error) {
	if err := refuseBound(words, advice); err != nil {
		return nil, err
	}
	return a.registry.Parse(words)
}

// exploreAdvice is for commands that run one line.
func exploreAdvice(n string) string {
	return fmt.Sprintf("a line has its faults, such as faults=crash:3@send2; 'mangrove explore' runs all schedules of up to %s", n)
}
