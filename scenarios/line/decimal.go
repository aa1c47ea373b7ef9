package line

import (
	"fmt"
	"strconv"
)

// DecimalKey returns a key for a decimal number from low to high.
func DecimalKey(name, usual string, low, high float64, help string) Key {
	values := fmt.Sprintf("%g to %g", low, high)
	return decimalKey(Key{Name: name, Default: usual, Values: values, Help: help}, "from "+values, func(x float64) bool { return x >= low && x <= high })
}

// ChanceKey returns a key whose values are above 0 and below 1.
func ChanceKey(name, usual, help string) Key {
	return decimalKey(Key{Name: name, Default: usual, Values: "above 0, below 1", Help: help}, "above 0 and below 1", func(x float64) bool { return x > 0 && x < 1 })
}

// decimalKey refuses what is not good: also NaN, which no comparison holds for.
func decimalKey(k Key, want string, good func(float64) bool) Key {
	k.Check = func(value string) error {
		if x, err := parseDecimal(value); err != nil || !good(x) {
			return fmt.Errorf("want a number %s", want)
		}
		return nil
	}
	return k
}

// Decimal returns the value of a DecimalKey or ChanceKey.
func (s Settings) Decimal(key string) float64 { return Parsed(s, key, parseDecimal) }

func parseDecimal(text string) (float64, error) { return strconv.ParseFloat(text, 64) }
