package launch_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/shortlines"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// The registry decides what is run, so that a new protocol is run, too.
func TestEveryProtocolRunsOnProcesses(t *testing.T) {
	t.Parallel()
	for _, p := range catalog.All() {
		t.Run(p.Name, func(t *testing.T) { runsOnProcesses(t, p.Name) })
	}
}

// runsOnProcesses runs a protocol on processes that keep to the model, and on the emulator. They agree on all
// that does not depend on how long things really take.
func runsOnProcesses(t *testing.T, protocol string) {
	line := strings.TrimSpace(fmt.Sprintf("%s P=%d %s", protocol, *processes, shortlines.Words[protocol]))
	if !strings.Contains(line, "tick=") {
		line += " tick=5ms"
	}
	run, err := catalog.ParseLine(line)
	require.NoError(t, err, line)
	emulated, err := run.Execute(t.Context(), scenarios.Options{})
	require.NoError(t, err)
	outcome := launched(t, line, launch.Options{Pace: tcp.Model, Eager: true, Timeout: 5 * time.Minute}, func(o *scenarios.Outcome) error {
		return errors.Join(held(o), same("results", computed(emulated), computed(o)), same("answer", emulated.Answer, o.Answer), same("messages", messages(emulated), messages(o)),
			same("failed", 0, len(o.Report.Failed)), same("deadlocks", 0, len(o.Report.Deadlocks)))
	})
	assert.Equal(t, *processes, outcome.Processes)
	assert.Equal(t, len(emulated.Guarantees), len(outcome.Guarantees), line)
	assert.Equal(t, emulated.Report.Unfired.String(), outcome.Report.Unfired.String(), line)
}

func same[T any](what string, want, got T) error {
	if reflect.DeepEqual(want, got) {
		return nil
	}
	return fmt.Errorf("%s: %v, want %v", what, got, want)
}

// steady are the figures that say what a protocol has computed, and not when.
var steady = []string{"result", "sorted", "answer", "view"}

func computed(o *scenarios.Outcome) []scenarios.Detail {
	return slices.DeleteFunc(slices.Clone(o.Details), func(f scenarios.Detail) bool { return !slices.Contains(steady, f.Name) })
}

// messages is how many there were, where that does not depend on who was faster by less than a tick, as in
// corrections; else 0.
func messages(o *scenarios.Outcome) int64 {
	if protocol, _, _ := strings.Cut(o.Line, " "); slices.Contains([]string{"reduce", "multitree", "big"}, protocol) {
		return o.Report.Messages
	}
	return 0
}

// What was not recorded on processes is not told as if it was 0.
func TestMembershipIsNotItemisedOnProcesses(t *testing.T) {
	t.Parallel()
	const line = "membership P=5 tick=2ms until=500 every=30 faults=crash:3@t20"
	outcome := launched(t, line, launch.Options{Pace: tcp.Sends, Eager: true}, func(o *scenarios.Outcome) error {
		if !slices.ContainsFunc(o.Details, func(d scenarios.Detail) bool { return d.Name == "base" }) {
			return fmt.Errorf("no view change was completed: %v", o.Details)
		}
		return held(o)
	})
	assert.False(t, slices.ContainsFunc(outcome.Details, func(d scenarios.Detail) bool { return d.Name == "of T_s" }), "%v", outcome.Details)
	text, err := outcome.MarshalJSON()
	require.NoError(t, err)
	for _, emulated := range []string{"windows", "wakes", "hash", "bytes_per_rank"} {
		assert.NotContains(t, string(text), emulated)
	}
}
