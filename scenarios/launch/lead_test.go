package launch_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/internal/carriertest"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// counting is a group of which it is known how often a member has been asked for something.
type counting struct {
	parts.Mail
	received int
	agreed   int
}

func (c *counting) Receive() (int, []byte, error) {
	c.received++
	return c.Mail.Receive()
}

func (c *counting) Exchange(out [][]byte) ([][]byte, error) {
	c.agreed++
	return c.Mail.Exchange(out)
}

// led has so many processes of a job do what the first one leads; followers may have contexts and registries of their own. It returns what became of
// each of them.
func led(t *testing.T, processes int, follower func(i int) (context.Context, scenarios.Registry), do func(*launch.Leader) error) (errs []error, mail []*counting) {
	t.Helper()
	carriers := carriertest.New(processes)
	mail = make([]*counting, processes)
	return parts.Together(t.Context(), processes, func(group parts.Mail) error {
		i := group.Index()
		mail[i] = &counting{Mail: group}
		o := launch.JobOptions{Carrier: carriers[i], Eager: true, Timeout: patience}
		if i > 0 {
			ctx, registry := follower(i)
			return launch.Follow(ctx, mail[i], registry, o)
		}
		leader := launch.Lead(mail[i], o)
		return errors.Join(do(leader), leader.Close())
	}), mail
}

// usual followers do all they are told.
func usual(t *testing.T) func(int) (context.Context, scenarios.Registry) {
	return func(int) (context.Context, scenarios.Registry) { return t.Context(), catalog.All() }
}

// Lines of any size are run one after the other, each on the first processes of the job. Others are not asked for anything meanwhile.
func TestALeaderRunsLinesOnTheFirstProcesses(t *testing.T) {
	ranks := []int{2, 4, 3, 1, 2, 9, 2}
	errs, mail := led(t, 4, usual(t), func(l *launch.Leader) error {
		for _, p := range ranks {
			run, err := catalog.ParseLine(fmt.Sprintf("broadcast P=%d correction=none repeat=3 period=2ms tick=1us bytes=5000", p))
			if err != nil {
				return err
			}
			outcome, err := l.Run(t.Context(), run)
			if err != nil {
				return err
			}
			if outcome.Processes != min(p, 4) || len(outcome.Latencies) != 3 || len(outcome.Report.Failed) > 0 {
				return fmt.Errorf("P=%d: %d processes, %v, %v", p, outcome.Processes, outcome.Latencies, outcome.Report.Failed)
			}
		}
		return nil
	})
	require.Equal(t, make([]error, 4), errs)
	for i, m := range mail {
		require.Zero(t, m.agreed, "that would wait for everybody")
		if i == 0 {
			continue
		}
		want := 1 // the end
		for _, p := range ranks {
			if p > i {
				want += 2 + 2*(min(p, 4)-1) // an assignment, to begin, and a letter of all others for whatever they agree on, twice
			}
		}
		require.Equal(t, want, m.received, "process %d", i)
	}
}

// What is wrong in one process ends a run for all, and is told by the leader, which may go on.
func TestALeaderHearsWhatIsWrongElsewhere(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	follower := func(i int) (context.Context, scenarios.Registry) {
		registry := catalog.All()
		if i == 2 { // it knows nothing of broadcasts
			registry = slices.DeleteFunc(registry, func(p scenarios.Protocol) bool { return p.Name == "broadcast" })
		}
		if i == 3 {
			return ended, registry
		}
		return t.Context(), registry
	}
	var told []error
	var held int
	errs, _ := led(t, 4, follower, func(l *launch.Leader) error {
		for _, text := range []string{"broadcast P=3", "calibration P=4", "broadcast P=2", "broadcast P=2 faults=crash:1@send1", "broadcast P=2 faults=hang:1", "broadcast P=2"} {
			run, err := catalog.ParseLine(text + " tick=5ms")
			if err != nil {
				return err
			}
			if _, err := l.Run(t.Context(), run); err != nil {
				told = append(told, err)
			} else {
				held++
			}
		}
		return nil
	})
	require.Equal(t, make([]error, 4), errs)
	require.Equal(t, 2, held)
	require.Len(t, told, 4)
	require.ErrorContains(t, told[0], `process 2 of the job: scenarios: unknown protocol "broadcast"`)
	require.ErrorContains(t, told[1], "process 3 of the job was told to end")
	require.ErrorIs(t, told[1], context.Canceled)
	input := (*line.InputError)(nil)
	require.ErrorAs(t, told[2], &input)
	require.ErrorContains(t, told[2], "crash:1@send1: there are runs to come that want the process")
	require.ErrorAs(t, told[3], &input)
}

// A leader that is told to end, before a run or in the middle of it, leaves nobody behind.
func TestALeaderThatIsToldToEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	endless := scenarios.Protocol{Name: "endless", Build: func(line.Settings) (scenarios.Experiment, error) {
		return scenarios.Experiment{Program: protocols.Program{Main: func(p protocols.Proc) {
			cancel()
			for {
				p.WaitUntil(p.Now() + 1)
			}
		}}}, nil
	}}
	registry := append(catalog.All(), endless)
	errs, mail := led(t, 3, func(int) (context.Context, scenarios.Registry) { return t.Context(), registry }, func(l *launch.Leader) error {
		for range 2 {
			run, err := registry.ParseLine("endless P=3 tick=5ms")
			if err != nil {
				return err
			}
			if _, err = l.Run(ctx, run); !errors.Is(err, context.Canceled) {
				return fmt.Errorf("it was told to end, and says %w", err)
			}
		}
		return nil
	})
	require.Equal(t, make([]error, 3), errs)
	require.Equal(t, 2+2*2+2+1, mail[1].received, "the second run was called off, and nobody had to agree on anything")
}
