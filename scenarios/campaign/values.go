package campaign

import (
	"fmt"
	"strconv"
	"strings"
)

// Values of a key: a list, or a range of numbers.
type Values []string

// UnmarshalTOML reads a list of words and numbers, or a range.
func (v *Values) UnmarshalTOML(data any) error {
	switch data := data.(type) {
	case string:
		list, err := parseRange(data)
		*v = list
		return err
	case []any:
		for _, item := range data {
			switch item := item.(type) {
			case string:
				*v = append(*v, item)
			case int64:
				*v = append(*v, strconv.FormatInt(item, 10))
			case float64:
				*v = append(*v, strconv.FormatFloat(item, 'g', -1, 64))
			default:
				return fmt.Errorf("value %v, want a word or a number", item)
			}
		}
		return nil
	}
	return fmt.Errorf("values %v, want a list, or a range such as \"1024..65536 x4\"", data)
}

// mostInRange is how many values a range may have.
const mostInRange = 10_000

// parseRange reads "1024..65536 x4" or "10..50 +20".
func parseRange(text string) (Values, error) {
	bad := fmt.Errorf("values %q, want a list, or a range such as \"1024..65536 x4\" or \"10..50 +20\" of up to %d", text, mostInRange)
	limits, step, ok := strings.Cut(text, " ")
	low, high, both := strings.Cut(limits, "..")
	if !ok || !both || len(step) < 2 {
		return nil, bad
	}
	from, errFrom := strconv.ParseInt(low, 10, 64)
	to, errTo := strconv.ParseInt(high, 10, 64)
	by, errBy := strconv.ParseInt(step[1:], 10, 64)
	multiplies := step[0] == 'x'
	switch {
	case errFrom != nil || errTo != nil || errBy != nil || from > to || from < 0,
		multiplies && (by < 2 || from == 0), !multiplies && (step[0] != '+' || by < 1):
		return nil, bad
	}
	var all Values
	for x := from; x <= to; {
		if len(all) == mostInRange {
			return nil, bad
		}
		all = append(all, strconv.FormatInt(x, 10))
		if multiplies && x > to/by || !multiplies && x > to-by {
			break // the next one is beyond, and may be too large to be computed
		}
		if multiplies {
			x *= by
		} else {
			x += by
		}
	}
	return all, nil
}
