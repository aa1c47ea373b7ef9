package fuzz

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

func TestEveryInputIsARun(t *testing.T) {
	for _, to := range targets {
		rapid.Check(t, func(t *rapid.T) {
			data := rapid.SliceOfN(rapid.Byte(), 0, to.headerBytes()+40).Draw(t, "data")
			text, _, _ := to.decode(data)
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
		targets = append(targets, forged(to, func(t *trial) string { return t.outcome.Line }))
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

// forged is a target that promises the same in all cases.
func forged(to *target, claim func(*trial) string) *target {
	other := *to
	other.promises.list = []promise{{"forged", nil, claim}}
	return &other
}

// judged returns what a target says of a line.
func judged(t *testing.T, to *target, line string) error {
	t.Helper()
	data, err := to.encode(line, 0)
	require.NoError(t, err)
	return to.check(data)
}

// The judge finds what is broken: protocols break promises that they never made, and are
// excused only as long as they have not made them.
func TestForgedPromisesAreBroken(t *testing.T) {
	for _, c := range []struct {
		to       *target
		claim    func(*trial) string
		line     string
		evidence string
	}{
		{of("broadcast"), left, "broadcast P=8 L=2 o=1 correction=none faults=crash:1", "ranks [3 5 7] never reached"},
		{of("broadcast"), left, "broadcast P=16 L=2 o=1 numbering=in-order correction=checked faults=crash:4,crash:3@t17,crash:8@t18", "ranks [5] never reached"},
		{of("broadcast"), divided, "broadcast P=8 L=2 o=1 correction=none faults=hang:0@send2", "ranks [2 4 6] never reached, other live ranks were"},
		{of("broadcast"), reachedWait, "broadcast P=4 L=2 o=1 correction=ack faults=crash:3@recv1", "rank 0 in Recv(kind=ack from 1 epoch=0) since t=2: rank 3 crashed at t=8"},
		{of("multitree"), left, "multitree P=8 L=2 o=1 trees=2 k=2 faults=crash:1,crash:2", "never reached"},
		{of("allreduce"), notHeld, "allreduce P=8 L=2 o=1 f=1 correction=none faults=crash:1", "no complete result on "},
		{of("membership"), passes(membership.StepExcluded), "membership P=7 every=60 timeout=7 until=6000 faults=slow:0x16@t90,slow:0x2@t450", " at t="},
		{of("allreduce"), waiting, "allreduce P=8 L=2 o=1 f=1 correction=none faults=crash:1", "rank 3 in Recv"},
	} {
		require.NoError(t, judged(t, c.to, c.line), "nothing of the kind is promised: %s", c.line)
		err := judged(t, forged(c.to, c.claim), c.line)
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
	require.NotEmpty(t, tried(t, of("broadcast"), strings.ReplaceAll(command, "'", "")).report.Unreached)
}

func TestRunsThatDifferAreNoticed(t *testing.T) {
	four, five := tried(t, of("broadcast"), "broadcast P=4"), tried(t, of("broadcast"), "broadcast P=5")
	require.NoError(t, repeats(four.outcome, four.run))
	require.ErrorContains(t, repeats(four.outcome, five.run), "the same run has hash")
}

// Deadlocks end a run, but ranks may also go on for ever.
func TestRunsThatDoNotEndAreNoticed(t *testing.T) {
	before := patience
	t.Cleanup(func() { patience = before })
	patience = 1
	require.ErrorIs(t, judged(t, of("bfb"), "bfb P=4"), errEndless)
}
