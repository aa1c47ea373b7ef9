package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Every key of every protocol, with its range, its default, what is said of values just outside, what is tried, and when it has no
// effect, is what it was.
func TestKeysStayTheSame(t *testing.T) {
	var all strings.Builder
	for _, p := range All() {
		fmt.Fprintf(&all, "%s: %s\n\tsteps %v, scale %d, common %v, rejoins %v\n", p.Name, p.Summary, p.Steps, p.Fuzz.Scale, p.Fuzz.Common, p.Rejoins)
		tellKeys(&all, p.Keys)
		for _, text := range triedBy(p) {
			fmt.Fprintf(&all, "\ttries %s\n", text)
		}
		for _, text := range idleIn(t, p) {
			fmt.Fprintf(&all, "\tidle %s\n", text)
		}
	}
	all.WriteString("tune\n")
	tellKeys(&all, TuneKeys())
	requireGolden(t, "testdata/keys.golden", all.String())
}

// tellKeys tells of each key what its values are.
func tellKeys(b *strings.Builder, keys line.Keys) {
	for _, k := range keys {
		ticks := ""
		if k.Ticks {
			ticks = " ticks"
		}
		fmt.Fprintf(b, "\t%s=%s of %s%s: %s\n", strings.TrimSpace(k.Name+" "+k.Alias), k.Default, k.Values, ticks, k.Help)
		for _, value := range append(beyond(k), "oak") {
			if err := k.Check(value); err != nil {
				fmt.Fprintf(b, "\t\t%q: %v\n", value, err)
			}
		}
	}
}

// beyond are the numbers just outside of the range of a key, and the ends of it, which must be all right.
func beyond(k line.Key) (values []string) {
	low, high, ranged := strings.Cut(strings.TrimPrefix(k.Values, "auto, "), " to ")
	if !ranged {
		return nil
	}
	if n, err := strconv.ParseUint(low, 10, 64); err == nil {
		values = append(values, fmt.Sprint(int64(n)-1), low)
	}
	if n, err := strconv.ParseUint(high, 10, 64); err == nil {
		values = append(values, high, fmt.Sprint(n+1))
	}
	return values
}

// triedBy are the values that made-up lines have of each key, as they depend on those before them, in lines that take the first value of each
// key, the second, and so on.
func triedBy(p scenarios.Protocol) (all []string) {
	told := make(map[string]bool)
	for nth := range 12 {
		text := p.MakeUp(func(k line.Key, values []string) string {
			if offer := k.Name + ": " + summed(values); !told[offer] {
				told[offer] = true
				all = append(all, offer)
			}
			if len(values) == 0 {
				return ""
			}
			different := slices.Compact(slices.Clone(values))
			return different[nth%len(different)]
		})
		all = append(all, "in all: "+text)
	}
	return all
}

// summed lists values, and how often each that comes several times in a row.
func summed(values []string) string {
	var all []string
	for len(values) > 0 {
		n := 1
		for n < len(values) && values[n] == values[0] {
			n++
		}
		text := values[0]
		if n > 1 {
			text = fmt.Sprintf("%s*%d", text, n)
		}
		all, values = append(all, text), values[n:]
	}
	return strings.Join(all, " ")
}

// idleIn says which keys have no effect with each combination of values of the keys that are to blame for it.
func idleIn(t *testing.T, p scenarios.Protocol) (all []string) {
	var blamed line.Keys
	for _, k := range p.Keys {
		tunes := k.Name == "C" // whether anything is tuned
		if tunes || slices.ContainsFunc(p.Idle, func(rule line.Idle) bool { return rule.Because == k.Name }) {
			blamed = append(blamed, k)
		}
	}
	for _, words := range combinations(blamed) {
		read, wrong := line.ReadKeys(p.Name, p.AllKeys(), words)
		require.Empty(t, wrong)
		var keys []string
		for _, rule := range p.Idle {
			if rule.If(read.Settings()) {
				keys = append(keys, rule.Key+" by "+rule.Because)
			}
		}
		all = append(all, strings.Join(words, " ")+": "+strings.Join(keys, ", "))
	}
	return all
}

// combinations are lists of words with every value of each key.
func combinations(keys line.Keys) [][]string {
	if len(keys) == 0 {
		return nil
	}
	all := [][]string{nil}
	for _, k := range keys {
		var longer [][]string
		for _, words := range all {
			for _, value := range valuesOf(k) {
				longer = append(longer, append(slices.Clone(words), k.Name+"="+value))
			}
		}
		all = longer
	}
	return all
}

// valuesOf are the values of a key that are words; of numbers, the default and another.
func valuesOf(k line.Key) (values []string) {
	for _, value := range append(strings.Split(strings.ReplaceAll(k.Values, " or ", ", "), ", "), k.Default, "3") {
		if k.Check(value) == nil && !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	return values
}
