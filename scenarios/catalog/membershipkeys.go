package catalog

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

const mostChildren = 1 << 16

// childrenKey is the arity of the radix tree.
var childrenKey = line.Key{
	Name:    "a",
	Default: "2",
	Values:  fmt.Sprintf("a power of two from 2 to %d", mostChildren),
	Help:    "children of a rank in the tree",
	Check: func(value string) error {
		if n, err := parseBelow(value, mostChildren+1); err != nil || n < 2 || bits.OnesCount64(n) != 1 {
			return fmt.Errorf("want a power of two from 2 to %d", mostChildren)
		}
		return nil
	},
	Tries: line.Words("2", "4", "8"),
}

var askKey = line.Key{
	Name: "ask", Default: "none", Values: "none, 11:4@t5, ...", Help: "who asks whom when, in addition",
	Check: line.Parses(parseQuestions), Tries: questionsTried,
}

var joinKey = line.Key{
	Name: "join", Default: "none", Values: "none, 7@t20, ...", Help: "which other ranks become members, and when",
	Check: line.Parses(parseJoins), Tries: joinsTried,
}

func parseQuestions(text string) ([]membership.Question, error) {
	return parseList(text, parseQuestion)
}

func parseJoins(text string) ([]membership.Join, error) { return parseList(text, parseJoin) }

// parseList reads a list with commas between its items, or "none".
func parseList[T any](text string, parse func(item string) (T, error)) (all []T, err error) {
	if text == "none" {
		return nil, nil
	}
	for item := range strings.SplitSeq(text, ",") {
		parsed, err := parse(item)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", item, err)
		}
		all = append(all, parsed)
	}
	return all, nil
}

// parseQuestion reads an inquiry such as 11:4@t5.
func parseQuestion(item string) (membership.Question, error) {
	who, when, timed := strings.Cut(item, "@t")
	from, to, both := strings.Cut(who, ":")
	at, errAt := parseBelow(when, uint64(clock.MaxCost)+1)
	a, errFrom := parseBelow(from, clock.MaxRanks)
	b, errTo := parseBelow(to, clock.MaxRanks)
	if !timed || !both || errAt != nil || errFrom != nil || errTo != nil {
		return membership.Question{}, fmt.Errorf("want rank:rank@tTICKS, such as 11:4@t5, with ranks below %d", clock.MaxRanks)
	}
	return membership.Question{At: clock.Time(at), From: int(a), To: int(b)}, nil
}

// parseJoin reads who joins when, such as 7@t20.
func parseJoin(item string) (membership.Join, error) {
	who, when, timed := strings.Cut(item, "@t")
	at, errAt := parseBelow(when, uint64(clock.MaxCost)+1)
	rank, errRank := parseBelow(who, clock.MaxRanks)
	if !timed || errAt != nil || errRank != nil {
		return membership.Join{}, fmt.Errorf("want rank@tTICKS, such as 7@t20, with a rank below %d", clock.MaxRanks)
	}
	return membership.Join{At: clock.Time(at), Rank: int(rank)}, nil
}

// parseBelow reads a number without leading zeros.
func parseBelow(text string, end uint64) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n >= end || text != strconv.FormatUint(n, 10) {
		return 0, fmt.Errorf("want a number below %d", end)
	}
	return n, nil
}
