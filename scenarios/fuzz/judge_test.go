package fuzz

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

func TestEveryInputIsARun(t *testing.T) {
	for _, f := range families {
		rapid.Check(t, func(t *rapid.T) {
			data := rapid.SliceOfN(rapid.Byte(), 0, f.headerBytes()+40).Draw(t, "data")
			chosen, schedule, _ := f.decode(data)
			_, err := catalog.ParseLine(f.line(chosen, schedule))
			require.NoError(t, err)
		})
	}
}

// The same inputs every time; fuzzing is for others.
func TestRunsKeepTheirPromises(t *testing.T) {
	runs := 1000
	if testing.Short() {
		runs /= 10
	}
	for _, f := range families {
		for seed := range uint64(runs) {
			require.NoError(t, f.check(someInput(f, seed)), "seed %d", seed)
		}
	}
}

// someInput draws parameters and up to five faults, half of them at time 0: only then does
// every family promise something.
func someInput(f *family, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 0))
	data := make([]byte, f.headerBytes()+3*random.IntN(6))
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	for group := data[f.headerBytes():]; len(group) > 0; group = group[3:] {
		if random.IntN(2) == 0 {
			group[0], group[2] = 0, 0
		}
	}
	return data
}

func TestAnyAsksTheFamilyOfTheFirstByte(t *testing.T) {
	require.NoError(t, Any(nil))
	for i := range 2 * len(families) {
		require.NoError(t, Any([]byte{byte(i)}))
	}
}

// The bytes behind the first are those of the family.
func TestAnyHandsTheRestOn(t *testing.T) {
	before := families
	t.Cleanup(func() { families = before })
	families = nil
	for _, f := range before {
		families = append(families, forged(*f, func(t *trial) string { return t.outcome.Line }))
	}
	for i, f := range families {
		data := someInput(f, 3)
		require.EqualError(t, Any(append([]byte{byte(i)}, data...)), f.check(data).Error())
	}
}

// The first byte asks for a second run, which shows in what is allocated.
func TestRunsAreRepeatedIfAskedFor(t *testing.T) {
	cost := func(mode byte) float64 {
		data, err := broadcastFamily.encode("broadcast P=16", mode)
		require.NoError(t, err)
		_, _, twice := broadcastFamily.decode(data)
		require.Equal(t, mode&modeTwice != 0, twice)
		return testing.AllocsPerRun(3, func() { require.NoError(t, broadcastFamily.check(data)) })
	}
	once := cost(0)
	require.InEpsilon(t, once, cost(modeTwice^0xff), 0.1, "other bits mean nothing")
	require.Greater(t, cost(modeTwice), 1.7*once)
}

// forged is a family that promises the same in all cases.
func forged(f family, claim func(*trial) string) *family {
	f.promises = []promise{{"forged", nil, claim}}
	return &f
}

// judged returns what a family says of a line.
func judged(t *testing.T, f *family, line string) error {
	t.Helper()
	data, err := f.encode(line, 0)
	require.NoError(t, err)
	return f.check(data)
}

// The judge finds what is broken: protocols break promises that they never made, and are
// excused only as long as they have not made them.
func TestForgedPromisesAreBroken(t *testing.T) {
	for _, c := range []struct {
		family   *family
		claim    func(*trial) string
		line     string
		evidence string
	}{
		{broadcastFamily, left, "broadcast P=8 L=2 o=1 correction=none faults=crash:1", "ranks [3 5 7] never reached"},
		{broadcastFamily, left, "broadcast P=16 L=2 o=1 numbering=in-order correction=checked faults=crash:4,crash:3@t17,crash:8@t18", "ranks [5] never reached"},
		{broadcastFamily, divided, "broadcast P=8 L=2 o=1 correction=none faults=hang:0@send2", "ranks [2 4 6] never reached, other live ranks were"},
		{broadcastFamily, reachedWait, "broadcast P=4 L=2 o=1 correction=ack faults=crash:3@recv1", "rank 0 in Recv(kind=ack from 1 epoch=0) since t=2: rank 3 crashed at t=8"},
		{multiTreeFamily, left, "multitree P=8 L=2 o=1 trees=2 k=2 faults=crash:1,crash:2", "never reached"},
		{allReduceFamily, notHeld, "allreduce P=8 L=2 o=1 f=1 correction=none faults=crash:1", noResult},
		{membershipFamily, passes(stepExcluded), "membership P=7 every=60 timeout=7 until=6000 faults=slow:0x16@t90,slow:0x2@t450", " at t="},
		{allReduceFamily, waiting, "allreduce P=8 L=2 o=1 f=1 correction=none faults=crash:1", "rank 3 in Recv"},
	} {
		require.NoError(t, judged(t, c.family, c.line), "nothing of the kind is promised: %s", c.line)
		err := judged(t, forged(*c.family, c.claim), c.line)
		require.ErrorContains(t, err, "fuzz: forged: broken: ", c.line)
		require.ErrorContains(t, err, c.evidence)
	}
}

// The line in an error is the way back to the run.
func TestErrorsHaveTheCommandThatShowsThemAgain(t *testing.T) {
	err := judged(t, forged(*broadcastFamily, left), "broadcast P=8 correction=none faults=crash:1,hang:2@step:correction#3")
	require.Error(t, err)
	_, command, found := strings.Cut(err.Error(), "\n\tmangrove run ")
	require.True(t, found)
	require.Contains(t, command, " 'faults=crash:1@t0,hang:2@step:correction#3'", "the shell must not see a comment")
	outcome, err := broadcastFamily.execute(strings.ReplaceAll(command, "'", ""))
	require.NoError(t, err)
	require.NotEmpty(t, outcome.Report.Unreached)
}

func TestRunsThatDifferAreNoticed(t *testing.T) {
	outcome, err := broadcastFamily.execute("broadcast P=4")
	require.NoError(t, err)
	require.NoError(t, repeats(outcome, "broadcast P=4"))
	require.ErrorContains(t, repeats(outcome, "broadcast P=5"), "the same run has hash")
}

// Deadlocks end a run, but ranks may also go on for ever.
func TestRunsThatDoNotEndAreNoticed(t *testing.T) {
	before := patience
	t.Cleanup(func() { patience = before })
	patience = 1
	require.ErrorIs(t, judged(t, bfbFamily, "bfb P=4"), errEndless)
}
