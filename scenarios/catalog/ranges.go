package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/protocols/reduce"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// In the experiments with reductions every rank contributes its own number, and the result
// is a list of whose contributions are in it, in the order in which they were combined, such
// as "0-41,43-1023". It stays short, and shows what is missing, double or out of order.

// ownRange is the contribution of a rank.
func ownRange(rank int) reduce.Value { return reduce.Value{Payload: strconv.Itoa(rank)} }

// joinRanges puts two lists one behind the other. Ranges that meet become one.
func joinRanges(left, right reduce.Value) reduce.Value {
	head, last := cutLast(left.Payload)
	first, tail := cutFirst(right.Payload)
	if last.high+1 != first.low {
		return reduce.Value{Payload: left.Payload + "," + right.Payload}
	}
	return reduce.Value{Payload: head + span{last.low, first.high}.String() + tail}
}

// span is a range of ranks, both ends included.
type span struct{ low, high int }

func (s span) String() string {
	if s.low == s.high {
		return strconv.Itoa(s.low)
	}
	return fmt.Sprintf("%d-%d", s.low, s.high)
}

// cutLast splits off the last range; the rest ends with a comma or is empty.
func cutLast(list string) (rest string, last span) {
	at := strings.LastIndexByte(list, ',') + 1
	return list[:at], parseSpan(list[at:])
}

// cutFirst splits off the first range; the rest begins with a comma or is empty.
func cutFirst(list string) (first span, rest string) {
	at := strings.IndexByte(list, ',')
	if at < 0 {
		at = len(list)
	}
	return parseSpan(list[:at]), list[at:]
}

func parseSpan(text string) span {
	s, err := readSpan(text)
	if err != nil {
		panic(fmt.Sprintf("catalog: %q in a list of ranks", text))
	}
	return s
}

// readSpan is parseSpan for texts that may be anything.
func readSpan(text string) (s span, err error) {
	low, high, isRange := strings.Cut(text, "-")
	if !isRange {
		high = low
	}
	if s.low, err = strconv.Atoi(low); err != nil {
		return s, err
	}
	s.high, err = strconv.Atoi(high)
	return s, err
}

// checkRanges refuses a text that is no list of ranks on a machine of so many. It may be empty.
func checkRanges(list string, ranks int) error {
	if list == "" {
		return nil
	}
	for text := range strings.SplitSeq(list, ",") {
		if s, err := readSpan(text); err != nil || s.low < 0 || s.low > s.high || s.high >= ranks {
			return fmt.Errorf("%s in a list of ranks, want ranges of 0 to %d", line.Quote(text), ranks-1)
		}
	}
	return nil
}

// flaw says what is wrong with a complete result: every live rank must be in it, unless some
// values were too late, no rank twice, and in the order of ranks. "" if nothing is.
func flaw(list string, rep *report.Report) string {
	var spans []span
	next, before, disorder := 0, rep.Size(), ""
	for rest := list; rest != ""; rest = strings.TrimPrefix(rest, ",") {
		var s span
		s, rest = cutFirst(rest)
		if s.low < next {
			before, disorder = next, fmt.Sprintf("rank %d is out of order in %s", s.low, list)
			break
		}
		next = s.high + 1
		spans = append(spans, s)
	}
	if deadlinesMissed(rep) {
		return disorder
	}
	missing := rep.Find(func(rank int, r *report.RankResult) bool {
		return rank < before && !r.Outcome.Failed() && !contains(spans, rank)
	})
	if missing.Count > 0 { // what is first in the list is told
		return fmt.Sprintf("rank %d is missing in %s", missing.First[0], list)
	}
	return disorder
}

// contains reports whether a rank is in one of the spans, which are in order.
func contains(spans []span, rank int) bool {
	_, found := slices.BinarySearchFunc(spans, rank, func(s span, rank int) int {
		switch {
		case s.high < rank:
			return -1
		case s.low > rank:
			return 1
		}
		return 0
	})
	return found
}
