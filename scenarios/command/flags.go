package command

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
	"github.com/spf13/pflag"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// badFlag says which flag has which wrong value, and what is wanted.
func badFlag(flag, value, want string) error {
	return fmt.Errorf("--%s %s: want %s", flag, shellescape.Quote(value), want)
}

// wanted is why a flag of ours refuses a value: it says what is wanted.
type wanted string

func (w wanted) Error() string { return "want " + string(w) }

// plainFlagError says in plain words what is wrong with the value of a flag, and where flags are listed if there is none of that name.
func plainFlagError(cmd *cobra.Command, err error) error {
	var refused *pflag.InvalidValueError
	var missing *pflag.NotExistError
	var want wanted
	var unread *strconv.NumError
	switch {
	case errors.As(err, &missing):
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
		return fmt.Errorf("%w; '%s --help' shows all flags%s", err, cmd.CommandPath(), line.Suggest("--"+missing.GetSpecifiedName(), known))
	case !errors.As(err, &refused):
		return err
	case errors.As(err, &want):
		return badFlag(refused.GetFlag().Name, refused.GetValue(), string(want))
	case errors.As(err, &unread): // which names a function of Go
		return fmt.Errorf("invalid argument %q for %q flag", refused.GetValue(), "--"+refused.GetFlag().Name)
	}
	return err
}

// maxWorkers is how many workers the emulator takes at most.
const maxWorkers = 1 << 12

// option is a flag for values of some type. There is a default in its place already.
type option[T any] struct {
	value *T
	kind  string // of value, in help that has no other word for it
	show  func(T) string
	read  func(text string) (T, error) // the error is what is wanted
}

func (o *option[T]) String() string { return o.show(*o.value) }
func (o *option[T]) Type() string   { return o.kind }

func (o *option[T]) Set(text string) error {
	value, err := o.read(text)
	if err == nil {
		*o.value = value
	}
	return err
}

func printed[T any](value T) string { return fmt.Sprint(value) }

// number is a flag for whole numbers from low to high.
func number[T int | uint64 | ~int64](value *T, low, high T) pflag.Value {
	want := wanted(fmt.Sprintf("a whole number from %d to %d", low, high))
	if uint64(high) == math.MaxInt64 {
		want = wanted(fmt.Sprintf("a whole number, %d or more", low))
	}
	return &option[T]{value, "n", printed[T], func(text string) (T, error) {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil || n < uint64(low) || n > uint64(high) {
			return 0, want
		}
		return T(n), nil
	}}
}

// duration is a flag for a time that is not negative.
func duration(value *time.Duration) pflag.Value {
	show := func(d time.Duration) string {
		if d == 0 {
			return "0" // without a unit, which help does not show
		}
		return d.String()
	}
	return &option[time.Duration]{value, "time", show, func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			return 0, wanted("a time such as 30s or 5m, 0 or more")
		}
		return d, nil
	}}
}

// named is a flag for a name, such as that of a file, which is not empty.
func named(value *string, want wanted) pflag.Value {
	return &option[string]{value, "file", printed[string], func(text string) (string, error) {
		if text == "" {
			return "", want
		}
		return text, nil
	}}
}

// readList reads values with commas between them.
func readList[T any](text string, read func(item string) (T, bool)) (all []T, ok bool) {
	for item := range strings.SplitSeq(text, ",") {
		value, ok := read(item)
		if !ok {
			return nil, false
		}
		all = append(all, value)
	}
	return all, true
}

// kindList is a flag for some kinds of failures. The order in which they are typed does not matter.
func kindList(value *[]faults.Kind, allowed []faults.Kind) pflag.Value {
	return &option[[]faults.Kind]{value, "kinds", listKinds, func(text string) ([]faults.Kind, error) {
		kinds, ok := readList(text, func(name string) (faults.Kind, bool) {
			i := slices.IndexFunc(allowed, func(kind faults.Kind) bool { return kind.String() == name })
			return allowed[max(0, i)], i >= 0
		})
		if !ok {
			return nil, wanted("some of " + listKinds(allowed) + ", with commas between them")
		}
		slices.Sort(kinds)
		if len(slices.Compact(slices.Clone(kinds))) < len(kinds) {
			return nil, wanted("each kind once")
		}
		return kinds, nil
	}}
}

// listKinds writes kinds as the flag takes them.
func listKinds(kinds []faults.Kind) string { return strings.Join(names(kinds), ",") }

// ticks is a flag for a list of times, ascending and each once.
func ticks(value *[]clock.Time, low clock.Time) pflag.Value {
	return &option[[]clock.Time]{value, "ticks", listTicks, func(text string) ([]clock.Time, error) {
		lists, ok := readList(text, func(item string) ([]clock.Time, bool) { return readTicks(item, low) })
		if !ok {
			return nil, wanted(fmt.Sprintf("ticks from %d to %d, with commas between them, or up to %d in a row such as 1..60", low, clock.MaxCost, mostTicks))
		}
		all := slices.Concat(lists...)
		slices.Sort(all)
		return slices.Compact(all), nil
	}}
}

// mostTicks is how many ticks may be given by the first and the last of them.
const mostTicks = 1000

// readTicks reads a tick, or the first and the last of some in a row.
func readTicks(item string, low clock.Time) (all []clock.Time, ok bool) {
	from, to, row := strings.Cut(item, "..")
	if !row {
		to = from
	}
	first, err := strconv.ParseInt(from, 10, 64)
	last, wrong := strconv.ParseInt(to, 10, 64)
	if err != nil || wrong != nil || clock.Time(first) < low || last < first || clock.Time(last) > clock.MaxCost || last-first >= mostTicks {
		return nil, false
	}
	for n := first; n <= last; n++ {
		all = append(all, clock.Time(n))
	}
	return all, true
}

// listTicks writes times as the flag takes them.
func listTicks(all []clock.Time) string {
	var items []string
	for i := 0; i < len(all); {
		last := i
		for last+1 < len(all) && all[last+1] == all[last]+1 {
			last++
		}
		if last-i < 2 { // a row of two is as short one by one
			last = i
			items = append(items, all[i].String())
		} else {
			items = append(items, fmt.Sprintf("%v..%v", all[i], all[last]))
		}
		i = last + 1
	}
	return strings.Join(items, ",")
}

// typedTicks is a list as a flag, or that there is none.
func typedTicks(flag string, all []clock.Time) string {
	if len(all) == 0 {
		return "no --" + flag
	}
	return "--" + flag + " " + listTicks(all)
}

// names are what things are called, one by one.
func names[T fmt.Stringer](things []T) []string {
	var all []string
	for _, thing := range things {
		all = append(all, thing.String())
	}
	return all
}
