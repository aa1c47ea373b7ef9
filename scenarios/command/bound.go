package command

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// maxFaults is how many faults a schedule of a search has at most.
const maxFaults = 999

var bound = regexp.MustCompile(`^(faults|delays|losses|duplicates)<=(\d{1,3})$`)

// takeBounds takes words such as faults<=N off a line. Numbers are 0 if there is no such word.
func takeBounds(words []string) (rest []string, bounds search.Bounds, err error) {
	for _, word := range line.Fields(words) {
		name, n, isBound := strings.Cut(word, "<")
		most := boundOf(&bounds, name)
		match := bound.FindStringSubmatch(word)
		switch {
		case !isBound || most == nil:
			rest = append(rest, word)
			continue
		case match != nil && *most > 0:
			return nil, bounds, fmt.Errorf("%q: %s<= is set twice", word, name)
		case match != nil:
			*most, _ = strconv.Atoi(strings.TrimPrefix(n, "="))
		}
		if *most == 0 {
			return nil, bounds, fmt.Errorf("%q: want %s<= and a number from 1 to %d", word, name, maxFaults)
		}
	}
	return rest, bounds, nil
}

// boundOf is the bound of that name; nil if there is none.
func boundOf(b *search.Bounds, name string) *int {
	switch name {
	case "faults":
		return &b.Faults
	case "delays":
		return &b.Delays
	case "losses":
		return &b.Losses
	case "duplicates":
		return &b.Duplicates
	}
	return nil
}

// boundNames are in the order in which a report lists them.
var boundNames = []string{"faults", "delays", "losses", "duplicates"}

// boundWords are those words that stand for bounds.
func boundWords(b search.Bounds) string {
	var words []string
	for _, name := range boundNames {
		if n := *boundOf(&b, name); n > 0 {
			words = append(words, fmt.Sprintf("%s<=%d", name, n))
		}
	}
	return strings.Join(words, " ")
}

// describeBounds says how much a schedule has at most.
func describeBounds(b search.Bounds) string {
	var all []string
	for _, name := range boundNames {
		if n := *boundOf(&b, name); n > 0 {
			one := map[string]string{"faults": "fault", "delays": "delay", "losses": "loss", "duplicates": "duplicate"}[name]
			if n > 1 {
				one = name
			}
			all = append(all, fmt.Sprintf("%d %s", n, one))
		}
	}
	return text.List(all)
}

// refuseBound gives advice about the word faults<=N where it makes no sense.
func refuseBound(words []string, advice func(number string) string) error {
	for _, word := range line.Fields(words) {
		name, rest, ok := strings.Cut(word, "<")
		if ok && boundOf(new(search.Bounds), name) != nil {
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
