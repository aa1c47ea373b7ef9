package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"al.essio.dev/pkg/shellescape"
	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// flagError says which flag has which wrong value, and what is wanted.
type flagError struct{ flag, value, want string }

func (e *flagError) Error() string {
	return fmt.Sprintf("--%s %s: want %s", e.flag, shellescape.Quote(e.value), e.want)
}

// plainFlagError takes what cobra and strconv say about a wrong value off an error of ours.
func plainFlagError(_ *cobra.Command, err error) error {
	var ours *flagError
	if errors.As(err, &ours) {
		return ours
	}
	text, _, _ := strings.Cut(err.Error(), ": strconv.")
	return errors.New(text)
}

// maxWorkers is how many workers the emulator takes at most.
const maxWorkers = 1 << 12

// number is a flag for whole numbers from low to high.
type number[T int | int64 | uint64] struct {
	value     *T
	flag      string
	low, high T
}

// numberFlag adds such a flag to a command; the value has its default already.
func numberFlag[T int | int64 | uint64](cmd *cobra.Command, value *T, flag string, low, high T, help string) {
	cmd.Flags().Var(&number[T]{value, flag, low, high}, flag, help)
}

func (n *number[T]) String() string { return fmt.Sprint(*n.value) }
func (n *number[T]) Type() string   { return "n" }

func (n *number[T]) Set(text string) error {
	value, err := strconv.ParseUint(text, 10, 64)
	if err != nil || value < uint64(n.low) || value > uint64(n.high) {
		return &flagError{n.flag, text, n.wanted()}
	}
	*n.value = T(value)
	return nil
}

func (n *number[T]) wanted() string {
	if uint64(n.high) == math.MaxInt64 {
		return fmt.Sprintf("a whole number, %d or more", n.low)
	}
	return fmt.Sprintf("a whole number from %d to %d", n.low, n.high)
}

// duration is a flag for a time that is not negative.
type duration struct {
	value *time.Duration
	flag  string
}

func (d *duration) Type() string { return "time" }

// String is 0 without a unit, which help does not show.
func (d *duration) String() string {
	if *d.value == 0 {
		return "0"
	}
	return d.value.String()
}

func (d *duration) Set(text string) error {
	value, err := time.ParseDuration(text)
	if err != nil || value < 0 {
		return &flagError{d.flag, text, "a time such as 30s or 5m, 0 or more"}
	}
	*d.value = value
	return nil
}

// kindList is a flag for kinds of failures. The order in which they are typed does not matter.
type kindList struct {
	value   *[]faults.Kind
	flag    string
	allowed []faults.Kind
}

func (k *kindList) String() string { return listKinds(*k.value) }
func (k *kindList) Type() string   { return "kinds" }

func (k *kindList) Set(text string) error {
	var kinds []faults.Kind
	for name := range strings.SplitSeq(text, ",") {
		i := slices.IndexFunc(k.allowed, func(kind faults.Kind) bool { return kind.String() == name })
		if i < 0 {
			return &flagError{k.flag, text, "some of " + listKinds(k.allowed) + ", with commas between them"}
		}
		if slices.Contains(kinds, k.allowed[i]) {
			return &flagError{k.flag, text, "each kind once"}
		}
		kinds = append(kinds, k.allowed[i])
	}
	slices.Sort(kinds)
	*k.value = kinds
	return nil
}

// listKinds writes kinds as the flag takes them.
func listKinds(kinds []faults.Kind) string { return strings.Join(kindNames(kinds), ",") }

func kindNames(kinds []faults.Kind) []string {
	var names []string
	for _, kind := range kinds {
		names = append(names, kind.String())
	}
	return names
}

// named is a flag for the name of a file, which is not empty.
type named struct {
	value      *string
	flag, want string
}

func (n *named) String() string { return *n.value }
func (n *named) Type() string   { return "file" }

func (n *named) Set(text string) error {
	if text == "" {
		return &flagError{n.flag, text, n.want}
	}
	*n.value = text
	return nil
}

// tickList is a list of times, ascending and each once.
type tickList []clock.Time

func (l tickList) String() string {
	var all []string
	for _, t := range l {
		all = append(all, t.String())
	}
	return strings.Join(all, ",")
}

// typed is the list as a flag, or that there is none.
func (l tickList) typed(flag string) string {
	if len(l) == 0 {
		return "no --" + flag
	}
	return "--" + flag + " " + l.String()
}

// ticksFlag is a flag for such a list.
type ticksFlag struct {
	value *tickList
	flag  string
	low   clock.Time
}

func (f *ticksFlag) String() string { return f.value.String() }
func (f *ticksFlag) Type() string   { return "ticks" }

func (f *ticksFlag) Set(text string) error {
	var all tickList
	for digits := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || clock.Time(n) < f.low || clock.Time(n) > clock.MaxCost {
			return &flagError{f.flag, text, fmt.Sprintf("ticks from %d to %d, with commas between them", f.low, clock.MaxCost)}
		}
		all = append(all, clock.Time(n))
	}
	slices.Sort(all)
	*f.value = slices.Compact(all)
	return nil
}
