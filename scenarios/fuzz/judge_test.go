package fuzz

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

func TestEveryInputIsARun(t *testing.T) {
	for _, to := range targets {
		rapid.Check(t, func(t *rapid.T) {
			data := rapid.SliceOfN(rapid.Byte(), 0, to.headerBytes()+40).Draw(t, "data")
			text, _ := to.decode(data)
			_, err := to.ParseLine(text)
			require.NoError(t, err)
		})
	}
}

// The same inputs every time; fuzzing is for others.
func TestRunsKeepTheirPromises(t *testing.T) {
	for _, to := range targets {
		for seed := range thorough.Times(uint64(1000)) {
			require.NoError(t, to.check(someInput(to, seed)), "seed %d", seed)
		}
	}
}

// someInput draws parameters and up to five faults, half of them at time 0: only then does
// every protocol promise something.
func someInput(to *target, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 0))
	header := to.headerBytes()
	data := make([]byte, header+3*random.IntN(6))
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	for group := data[header:]; len(group) > 0; group = group[3:] {
		if random.IntN(2) == 0 {
			group[0], group[2] = 0, 0
		}
	}
	return data
}

func TestAnyAsksTheProtocolOfTheFirstByte(t *testing.T) {
	require.NoError(t, Any(nil))
	for i := range 2 * len(targets) {
		require.NoError(t, Any([]byte{byte(i)}))
	}
}

// The bytes behind the first are those of the protocol.
func TestAnyHandsTheRestOn(t *testing.T) {
	before := targets
	t.Cleanup(func() { targets = before })
	targets = nil
	for _, to := range before {
		targets = append(targets, forged(to, func(guarantee.Run) string { return "always" }))
	}
	for i, to := range targets {
		data := someInput(to, 3)
		require.EqualError(t, Any(append([]byte{byte(i)}, data...)), to.check(data).Error())
	}
}

// The first byte asks for a second run.
func TestRunsAreRepeatedIfAskedFor(t *testing.T) {
	runs, counted := 0, *of("big")
	counted.Build = func(s line.Settings) (scenarios.Experiment, error) {
		e, err := of("big").Build(s)
		e.State = scenarios.PerRank[int]{Forget: func() { runs++ }}
		return e, err
	}
	for mode, want := range map[byte]int{0: 1, modeTwice: 2, modeTwice ^ 0xff: 1, 0xff: 2} {
		runs = 0
		require.NoError(t, counted.check([]byte{mode, 15}))
		require.Equal(t, want, runs, "mode %d", mode)
	}
}

// forged is a target that promises one thing in all cases: broken says how a run broke it, "" if it did not.
func forged(to *target, broken func(guarantee.Run) string) *target {
	other := *to
	other.Build = func(s line.Settings) (scenarios.Experiment, error) {
		e, err := to.Build(s)
		e.Promises = []guarantee.Guarantee{guarantee.Func("forged", false, func(run guarantee.Run) (bool, string) {
			why := broken(run)
			return why == "", why
		})}
		return e, err
	}
	return &other
}

// judged returns what a target says of a line.
func judged(t *testing.T, to *target, line string) error {
	t.Helper()
	data, err := to.encode(line, 0)
	require.NoError(t, err)
	return to.check(data)
}

// tried runs a line of a target.
func tried(t *testing.T, to *target, text string) (*scenarios.Run, *scenarios.Outcome) {
	t.Helper()
	run, err := to.ParseLine(text)
	require.NoError(t, err)
	outcome, err := run.Execute(t.Context(), scenarios.Options{Workers: 1, Trace: emu.TraceEvents})
	require.NoError(t, err)
	return run, outcome
}

// left says who was left without the message.
func left(run guarantee.Run) string {
	if len(run.Report.Unreached) > 0 {
		return fmt.Sprintf("ranks %v never reached", run.Report.Unreached)
	}
	return ""
}

// The judge finds what is broken: protocols break promises beyond what they claim to stand, and are
// excused only as long as they have not claimed it.
func TestForgedPromisesAreBroken(t *testing.T) {
	for _, c := range []struct{ line, evidence string }{
		{"broadcast P=8 L=2 o=1 correction=none faults=crash:1", "ranks [3 5 7] never reached"},
		{"broadcast P=16 L=2 o=1 numbering=in-order correction=checked faults=crash:4,crash:3@t17,crash:8@t18", "ranks [5] never reached"},
		{"multitree P=8 L=2 o=1 trees=2 k=2 faults=crash:1,crash:2", "never reached"},
	} {
		name, _, _ := strings.Cut(c.line, " ")
		require.NoError(t, judged(t, of(name), c.line), "nothing of the kind is claimed: %s", c.line)
		err := judged(t, forged(of(name), left), c.line)
		require.ErrorContains(t, err, "fuzz: forged: broken: ", c.line)
		require.ErrorContains(t, err, c.evidence)
	}
}

// The line in an error is the way back to the run.
func TestErrorsHaveTheCommandThatShowsThemAgain(t *testing.T) {
	err := judged(t, forged(of("broadcast"), left), "broadcast P=8 correction=none faults=crash:1,hang:2@step:correction#3")
	require.Error(t, err)
	_, command, found := strings.Cut(err.Error(), "\n\tmangrove run ")
	require.True(t, found)
	require.Contains(t, command, " 'faults=crash:1@t0,hang:2@step:correction#3'", "the shell must not see a comment")
	_, outcome := tried(t, of("broadcast"), strings.ReplaceAll(command, "'", ""))
	require.NotEmpty(t, outcome.Report.Unreached)
}

func TestRunsThatDifferAreNoticed(t *testing.T) {
	four, outcome := tried(t, of("broadcast"), "broadcast P=4")
	five, _ := tried(t, of("broadcast"), "broadcast P=5")
	require.NoError(t, repeats(outcome, four))
	require.ErrorContains(t, repeats(outcome, five), "the same run has hash")
}

// Deadlocks end a run, but ranks may also go on for ever.
func TestRunsThatDoNotEndAreNoticed(t *testing.T) {
	before := patience
	t.Cleanup(func() { patience = before })
	patience = 1
	require.ErrorIs(t, judged(t, of("bfb"), "bfb P=4"), errEndless)
}
