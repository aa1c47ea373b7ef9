package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// drawable are the protocols that lines are drawn of.
var drawable = append(catalog.All(), troubled)

// session is some lines that are run one after the other.
type session struct {
	lines []string
	trace emu.TraceLevel
	keep  bool // goroutines, from run to run
}

// drawSession makes up a line of the protocol, runs of the same machine with other faults, and perhaps a line of another protocol after them.
func drawSession(t *testing.T, random *rand.Rand, p scenarios.Protocol) session {
	t.Helper()
	s := session{lines: []string{drawLine(t, random, p)}, keep: random.IntN(2) == 0}
	s.trace = []emu.TraceLevel{emu.TraceHash, emu.TraceHash, emu.TraceHash, emu.TraceEvents, emu.TraceEvents, emu.TraceDecisions}[random.IntN(6)]
	for random.IntN(3) == 0 {
		run, err := drawable.ParseLine(s.lines[len(s.lines)-1])
		require.NoError(t, err)
		s.lines = append(s.lines, drawFaults(random, run))
	}
	if random.IntN(6) == 0 {
		s.lines = append(s.lines, drawLine(t, random, drawable[random.IntN(len(drawable))]))
	}
	return s
}

// told is what comes of a line.
type told struct {
	outcome *scenarios.Outcome
	json    string // of the whole outcome, in part 0
	err     string
}

// tell runs a line. It leaves out what a run took, and the stack of a panic. Parts that have results of ranks write JSON together.
func tell(ctx context.Context, executor *scenarios.Executor, text string) (result told) {
	run, err := drawable.ParseLine(text)
	if err == nil {
		result.outcome, err = executor.Run(ctx, run)
	}
	if err == nil && !result.outcome.Elsewhere {
		result.outcome.Report.Wall, result.outcome.Report.BytesPerRank = 0, 0
		var text strings.Builder
		err = result.outcome.WriteJSON(&text)
		result.json = text.String()
	}
	var program emu.ProgramError
	switch {
	case err == nil:
	case errors.As(err, &program):
		result.err = fmt.Sprintf("%T: %s", program, program.Happened())
	default:
		result.err = err.Error()
	}
	return result
}

// alone is what comes of each line on a machine of its own, with one worker.
func (s session) alone(ctx context.Context) (all []told) {
	for _, text := range s.lines {
		all = append(all, tell(ctx, scenarios.NewExecutor(scenarios.Options{Trace: s.trace, Workers: 1}), text))
	}
	return all
}

// inParts is what each part tells of each line. A part with an error that is not wanted ends the session of all, as they might wait for it.
func (s session) inParts(ctx context.Context, want []told, count, workers int) [][]told {
	all := make([][]told, count)
	parts.Together(ctx, count, func(part parts.Mail) error {
		i := part.Index()
		executor := scenarios.NewExecutor(scenarios.Options{Trace: s.trace, Workers: workers, Keep: s.keep, Part: part})
		for n, text := range s.lines {
			all[i] = append(all[i], tell(ctx, executor, text))
			if err := all[i][n].err; err != want[n].err {
				return errors.Join(fmt.Errorf("part %d: %s", i, err), executor.Close())
			}
		}
		return executor.Close()
	})
	return all
}

var errTooLong = errors.New("the parts take too long, or wait for each other")

// requireSame runs the lines in parts and fails if not the same comes of them.
func (s session) requireSame(t *testing.T, want []told, count, workers int) {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), 2*time.Minute, errTooLong)
	defer cancel()
	all := s.inParts(ctx, want, count, workers)
	for n := range s.lines {
		for i := range all {
			about := about{s, n, i, count, workers}
			got := all[i][n]
			require.Equal(t, want[n].err, got.err, about)
			switch {
			case got.err != "":
			case i > 0 && got.outcome.Elsewhere:
				requireSameElsewhere(t, want[n].outcome, got.outcome, about)
			default:
				requireSameOutcome(t, want[n].outcome, got.outcome, about)
			}
			if i == 0 {
				require.Equal(t, want[n].json, got.json, about)
			}
		}
	}
}

// about says what is compared, with the lines to run again.
type about struct {
	session
	line, part, count, workers int
}

func (a about) String() string {
	return fmt.Sprintf("line %d of these, part %d of %d, workers: %d, trace level %d, kept: %v\n\tmangrove run %s",
		a.line+1, a.part, a.count, a.workers, a.trace, a.keep, strings.Join(a.lines, "\n\tmangrove run "))
}

// requireSameOutcome compares all there is, and begins with what is short to show. Of the results of ranks a part has its own.
func requireSameOutcome(t *testing.T, want, got *scenarios.Outcome, about about) {
	t.Helper()
	require.Equal(t, want.Report.Hash, got.Report.Hash, about)
	a, b := want.Report.Events, got.Report.Events
	for i := 0; !slices.Equal(a, b); i++ {
		require.Equal(t, a[i:min(i+1, len(a))], b[i:min(i+1, len(b))], about)
	}
	if share := got.Report.Share; share != nil {
		own := parts.BlockOf(about.part, about.count, len(want.Report.Ranks))
		require.Equal(t, own.First, share.First, about)
		require.Equal(t, want.Report.Ranks[own.First:own.First+own.Len], append([]report.RankResult{}, got.Report.Ranks...), about) // there may be none
		require.NoError(t, share.Lost, about)
		all, rep := *got, *got.Report
		rep.Ranks, rep.Share = want.Report.Ranks, nil
		all.Report, got = &rep, &all
	}
	if !reflect.DeepEqual(want, got) {
		require.Equal(t, want, got, about)
	}
}

// requireSameElsewhere compares what all parts know.
func requireSameElsewhere(t *testing.T, want, got *scenarios.Outcome, about about) {
	t.Helper()
	require.Equal(t, want.Line, got.Line, about)
	require.Equal(t, want.Report.Hash, got.Report.Hash, about)
	require.Equal(t, want.Report.Messages, got.Report.Messages, about)
	require.Equal(t, want.Guarantees, got.Guarantees, about)
	require.Equal(t, want.Completion, got.Completion, about)
}

// Whatever a line says, the same comes of it however many parts run it, with however many workers: hash, report, events, verdicts, details, or the
// error that ends it; also after other lines on the same parts.
func TestDrawnLinesAreTheSameRunsInParts(t *testing.T) {
	sessions := 12 // of each protocol
	switch {
	case thorough.All():
		sessions = 250 // some 6,000 lines in all
	case testing.Short():
		sessions = 3
	}
	for number, p := range drawable {
		t.Run(p.Name, func(t *testing.T) {
			for seed := range sessions {
				s := drawSession(t, rand.New(rand.NewPCG(uint64(seed), uint64(number))), p)
				want := s.alone(t.Context())
				for i, count := range []int{1, 2, 3, 7} {
					s.requireSame(t, want, count, 1+(seed+i)%2)
				}
			}
		})
	}
}

// What ranks waited for is told of a run that is over, also if failures had become known that they had not looked at: their detector is no more.
func TestWhatIsToldOfARunThatIsOverAsksNoDetector(t *testing.T) {
	s := session{trace: emu.TraceEvents, lines: []string{"tpch-q3 P=31 L=3 o=2 g=2 G=1 network=uniform nodes=3 Lin=9 oin=3 jitter=exponential:3 noise=random:40:7 links=ordered receive=one seed=75 " +
		"sf=0.00001 backup=all generate=10 restore=auto work=2 strategy=respawn restart=3 agreement=openmpi revoke=binomial detector=uneven spread=30 " +
		"faults=rejoin:26@t21,slow:30x4@step:broadcast,hang:19@t24,cut:0-2+4+6-9+11+13-16+18+20-23+25+27-30|*@t105,crash:18@before-send8,crash:18@t74,rejoin:18@t161"}}
	want := s.alone(t.Context())
	require.Empty(t, want[0].err)
	require.NotEmpty(t, want[0].outcome.Report.Deadlocks)
	s.requireSame(t, want, 3, 1)
}
