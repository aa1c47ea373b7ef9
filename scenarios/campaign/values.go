package campaign

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
)

// Values of a key: a list, or a range.
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

// mostInRange is how many values a range may have, mostDigits how long its numbers may be: decimals that are
// multiplied get longer and longer.
const (
	mostInRange = 10_000
	mostDigits  = 24
)

// rangeText is a range: what all values begin with, the first number and the last, what all values end with, and
// the step.
var rangeText = regexp.MustCompile(`^([^ ]*?)(\d+(?:\.\d+)?)\.\.(\d+(?:\.\d+)?)([^ ]*) ([x+])(\d+(?:\.\d+)?)$`)

// negative is what stands before the digits of a number below 0. In cut:0-3..5|* there is none.
var negative = regexp.MustCompile(`(^|[^0-9])-$`)

// parseRange reads "1024..65536 x4", "10..50 +20", "0.5..2us +0.5" or "crash:~1..64 x2".
func parseRange(text string) (Values, error) {
	bad := fmt.Errorf("values %q, want a list, or a range such as \"1024..65536 x4\", \"10..50 +20\" or \"crash:~1..64 x2\" of up to %d values with up to %d digits", text, mostInRange, mostDigits)
	part := rangeText.FindStringSubmatch(text)
	if part == nil || negative.MatchString(part[1]) {
		return nil, bad
	}
	x, to, step := decimal(part[2]), decimal(part[3]), decimal(part[6])
	if x == nil || to == nil || step == nil || x.Cmp(to) > 0 {
		return nil, bad
	}
	next := x.Add
	if part[5] == "x" {
		next = x.Mul
	}
	var all Values
	for ; x.Cmp(to) <= 0; next(x, step) {
		value := plain(x)
		if len(all) == mostInRange || len(value) > mostDigits {
			return nil, bad // which is where a step that does not lead to larger numbers ends
		}
		all = append(all, part[1]+value+part[4])
	}
	return all, nil
}

// decimal is an exact number; nil if it is too long.
func decimal(text string) *big.Rat {
	if len(text) > mostDigits {
		return nil
	}
	x, _ := new(big.Rat).SetString(text)
	return x
}

// plain writes all digits of a decimal number, and no others.
func plain(x *big.Rat) string {
	digits, _ := x.FloatPrec()
	return x.FloatString(digits)
}
