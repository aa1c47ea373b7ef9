package line

import (
	"errors"
	"fmt"
	"strconv"
)

// DecimalKey returns a key for a decimal number from low to high.
func DecimalKey(name, usual string, low, high float64, help string) Key {
	values := fmt.Sprintf("%s to %s", shortDecimal(low), shortDecimal(high))
	return Key{
		Name: name, Default: usual, Values: values, Help: help,
		Check: func(value string) error {
			if x, err := strconv.ParseFloat(value, 64); err != nil || !(x >= low && x <= high) {
				return fmt.Errorf("want a number from %s", values)
			}
			return nil
		},
	}
}

func shortDecimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Decimal returns the value of a DecimalKey or ChanceKey.
func (s Settings) Decimal(key string) float64 {
	x, err := strconv.ParseFloat(s.Text(key), 64)
	if err != nil {
		panic(fmt.Sprintf("line: %s=%s has passed its check: %v", key, s.Text(key), err))
	}
	return x
}

// ChanceKey returns a key whose values are above 0 and below 1.
func ChanceKey(name, usual, help string) Key {
	return Key{
		Name: name, Default: usual, Values: "above 0, below 1", Help: help,
		Check: func(value string) error {
			if chance, err := strconv.ParseFloat(value, 64); err != nil || !(chance > 0 && chance < 1) {
				return errors.New("want a number above 0 and below 1")
			}
			return nil
		},
	}
}
