package launch_test

import (
	"cmp"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
)

// attempts is how often a line is run while the machine is too busy to keep up with it. Ticks are twice
// as long each time, and so is all else that is waited for.
const attempts = 7

// launched runs a line on processes and fails unless the outcome is right. It may be wrong if processes were
// behind the model, since protocols reckon with deadlines; then the line is run again, with longer ticks.
// An outcome that is wrong though nothing was late is our fault.
func launched(t *testing.T, line string, o launch.Options, right func(*scenarios.Outcome) error) *scenarios.Outcome {
	t.Helper()
	run, err := registry().ParseLine(line)
	require.NoError(t, err, line)
	o.Command, o.Stderr = workers(label(t)), t.Output()
	o.Timeout, o.Patience = cmp.Or(o.Timeout, patience), time.Second
	for attempt := 1; ; attempt++ {
		outcome, err := launch.Launch(t.Context(), run, o)
		require.NoError(t, err, run.String())
		requireNoneNamed(t)
		wrong := right(outcome)
		if wrong == nil {
			return outcome
		}
		t.Logf("%s\n%v\nprocesses were up to %s behind the model", run, wrong, outcome.Unit.Span(outcome.Late))
		require.Positive(t, outcome.Late, "%s: %v, and nothing was late", run, wrong)
		require.Less(t, attempt, attempts, "%s: %v", run, wrong)
		run = run.WithSetting("tick", fmt.Sprintf("%dns", 2*run.Settings().Unit()))
		o.Timeout, o.Patience = 2*o.Timeout, 2*o.Patience
	}
}

// held says which guarantees of a run did not hold.
func held(outcome *scenarios.Outcome) (err error) {
	if len(outcome.Guarantees) == 0 {
		return errors.New("there is no guarantee")
	}
	for _, g := range outcome.Guarantees {
		if g.Value == guarantee.Broken {
			err = errors.Join(err, fmt.Errorf("BROKEN %s: %s", g.Name, g.Evidence))
		}
	}
	if outcome.Verdict() == guarantee.TooLate {
		err = errors.New(outcome.Unjudged())
	}
	if err != nil {
		err = fmt.Errorf("%w\nfailed %v, rejoined %v, never fired %s, notes %q", err,
			outcome.Report.Failed, outcome.Report.Rejoined, outcome.Report.Unfired, outcome.Notes)
	}
	return err
}
