package reduce_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
	"github.com/mangrove-emu/mangrove/report"
)

// concatenate is associative and not commutative, and loses nothing: a result shows which
// values are in it, and in what order.
func concatenate(left, right reduce.Value) reduce.Value {
	return reduce.Value{A: left.A + right.A, Payload: left.Payload + right.Payload}
}

// own is what a rank contributes to a concatenation: its number, and 1 to be counted.
func own(rank int) reduce.Value {
	return reduce.Value{A: 1, Payload: strconv.Itoa(rank) + ","}
}

// ranksIn lists the ranks in the result of a concatenation. It panics if it is no such
// result.
func ranksIn(v reduce.Value) []int {
	var ranks []int
	for text := v.Payload; text != ""; {
		number, rest, _ := strings.Cut(text, ",")
		rank, err := strconv.Atoi(number)
		if err != nil {
			panic(err)
		}
		ranks, text = append(ranks, rank), rest
	}
	if int(v.A) != len(ranks) {
		panic(fmt.Sprintf("%d values counted in %q", v.A, v.Payload))
	}
	return ranks
}

// trial runs concatenations on one machine, with one schedule after the other.
type trial struct {
	logp     clock.LogP
	options  reduce.Options
	reduce   *reduce.Reduce
	machine  *emu.Machine
	report   report.Report
	result   reduce.Value
	complete bool
}

// newTrial makes a machine of one worker: tests run side by side.
func newTrial(t require.TestingT, logp clock.LogP, options reduce.Options) *trial {
	options.Operation = concatenate
	r, err := reduce.New(logp, options)
	require.NoError(t, err)
	machine, err := emu.New(emu.Config{LogP: logp, Workers: 1})
	require.NoError(t, err)
	return &trial{logp: logp, options: options, reduce: r, machine: machine}
}

// run leaves the result of the root, if it lives, in the trial.
func (b *trial) run(t require.TestingT, schedule faults.Schedule) {
	b.result, b.complete = reduce.Value{}, false
	program := b.reduce.Program(own, func(result reduce.Value, complete bool) {
		b.result, b.complete = result, complete
	})
	err := b.machine.RunInto(context.Background(), program, emu.Options{Faults: schedule}, &b.report)
	if err != nil { // require costs more than a run
		require.NoError(t, err)
	}
}

// trace is run, and returns all events.
func (b *trial) trace(t require.TestingT, schedule faults.Schedule) []report.Event {
	traced := *b
	machine, err := emu.New(emu.Config{LogP: b.logp, Trace: emu.TraceEvents})
	require.NoError(t, err)
	traced.machine = machine
	traced.run(t, schedule)
	return traced.report.Events
}

func (b *trial) String() string {
	return fmt.Sprintf("%+v, root %d, f=%d, faults %v, failed %v, result %q",
		b.logp, b.options.Root, b.options.Redundancy, b.report.Faults, b.report.Failed, b.result.Payload)
}

// width is how many subtrees there are.
func (b *trial) width() int { return min(b.options.Redundancy+1, b.logp.Ranks-1) }

// check fails the test if a promise of the package is broken. Only ranks other than the root
// have failed.
func (b *trial) check(t require.TestingT) {
	for _, problem := range []string{b.unending(), b.disorder(), b.leftOut()} {
		if problem != "" { // require costs more than a run
			require.Fail(t, problem, "%v", b)
		}
	}
	if !b.complete && b.someSubtreeIsWhole() {
		require.Fail(t, "no complete result, although a subtree is whole", "%v", b)
	}
}

// unending says what goes on after the deadline.
func (b *trial) unending() string {
	switch deadline := b.reduce.Deadline(); {
	case len(b.report.Deadlocks) > 0:
		return b.report.Deadlocks[0].String()
	case b.report.Exit > deadline:
		return fmt.Sprintf("somebody is busy until %d, deadline %d", b.report.Exit, deadline)
	case b.report.Quiescence > deadline:
		return fmt.Sprintf("messages are under way until %d, deadline %d", b.report.Quiescence, deadline)
	}
	return ""
}

// disorder says which value is out of place, or there twice. Strictly ascending ranks are
// neither.
func (b *trial) disorder() string {
	last := -1
	for _, rank := range b.ranks() {
		if rank <= last {
			return fmt.Sprintf("%d comes after %d", rank, last)
		}
		last = rank
	}
	if last >= b.logp.Ranks {
		return fmt.Sprintf("there is no rank %d", last)
	}
	return ""
}

// leftOut says whose value is missing in a complete result. That of a failed rank is,
// rightly, unless it had sent it everywhere before, and another rank has told the root.
func (b *trial) leftOut() string {
	if !b.complete {
		return ""
	}
	missing := make([]bool, b.logp.Ranks)
	for rank := range missing {
		missing[rank] = true
	}
	for _, rank := range b.ranks() {
		missing[rank] = false
	}
	rootOnly := b.logp.Ranks-1 <= b.options.Redundancy && len(b.report.Failed) == b.logp.Ranks-1
	for _, failure := range b.report.Failed {
		if failure.Time < b.sent() || rootOnly {
			missing[failure.Rank] = false
		}
	}
	if rank := slices.Index(missing, true); rank >= 0 {
		return fmt.Sprintf("the value of rank %d is missing", rank)
	}
	return ""
}

// ranks lists those whose values are in the result, in order.
func (b *trial) ranks() []int { return ranksIn(b.result) }

// sent is when a member has sent its value to all that are in charge of it, so that it does
// not matter to anybody else any more whether it fails. A rank without mates never has.
func (b *trial) sent() clock.Time {
	if b.width() < 2 {
		return clock.Never
	}
	costs := b.logp.Costs()
	spacing := costs.Spacing + costs.Stretch(b.options.Bytes)
	return b.reduce.Begin + clock.Time(b.width()-2)*spacing + costs.Overhead
}

// someSubtreeIsWhole reports whether no rank of some subtree has failed. If there are no
// more members than may fail, the root knows what it means if it hears from none.
func (b *trial) someSubtreeIsWhole() bool {
	broken := make([]bool, b.width())
	for _, failure := range b.report.Failed {
		broken[b.subtree(failure.Rank)] = true
	}
	return slices.Contains(broken, false) || b.logp.Ranks-1 <= b.options.Redundancy
}

// subtree is where a rank belongs, if it is not the root.
func (b *trial) subtree(rank int) int {
	if rank > b.options.Root {
		rank--
	}
	return rank % b.width()
}
