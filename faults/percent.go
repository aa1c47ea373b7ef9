package faults

import (
	"fmt"
	"strconv"
	"strings"
)

// Percent is a probability in billionths of a percent. It is a whole number so that a
// rate survives printing and parsing exactly, which a binary fraction would not.
//
// Rates are written as multiples or fractions of [OnePercent]: 4*OnePercent is 4 %, and
// OnePercent/100 is 0.01 %.
type Percent uint64

// OnePercent is 1 %.
const OnePercent Percent = 1_000_000_000

const (
	percentDecimals = 9
	certain         = 100 * OnePercent
	percentRange    = "more than 0% and at most 100%"
)

// String prints the shortest exact decimal with a percent sign: "4%", "0.01%".
func (p Percent) String() string {
	whole := strconv.FormatUint(uint64(p/OnePercent), 10)
	rest := fmt.Sprintf("%0*d", percentDecimals, uint64(p%OnePercent))
	rest = strings.TrimRight(rest, "0")
	if rest == "" {
		return whole + "%"
	}
	return whole + "." + rest + "%"
}

func (p Percent) possible() bool { return p > 0 && p <= certain }

// parsePercent reads the decimal in front of a percent sign.
func parsePercent(text string) (Percent, error) {
	bad := fmt.Errorf("rate %q, want %s, with at most %d decimals", text+"%", percentRange, percentDecimals)
	whole, rest, dotted := strings.Cut(text, ".")
	if dotted && rest == "" || len(rest) > percentDecimals {
		return 0, bad
	}
	units, err := span{"rate", 0, 100}.parse(whole)
	if err != nil {
		return 0, bad
	}
	// Padding to all nine places turns the decimals into billionths.
	rest += strings.Repeat("0", percentDecimals-len(rest))
	billionths, err := strconv.ParseUint(rest, 10, 64)
	if err != nil {
		return 0, bad
	}
	p := Percent(units)*OnePercent + Percent(billionths)
	if !p.possible() {
		return 0, bad
	}
	return p, nil
}
