package proctest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/proctest"
	"github.com/mangrove-emu/mangrove/report"
)

func TestSuiteAcceptsMachineThatKeepsTheContract(t *testing.T) {
	proctest.Test(t, proctest.Machine{Run: flaws{}.run, Detects: true, Stores: true})
}

// The machine delays each call and each message by up to two ticks. Cases that need exact
// times would fail, so this also shows that Test leaves them out.
func TestSuiteAcceptsDelaysUpToLate(t *testing.T) {
	proctest.Test(t, proctest.Machine{Run: flaws{jitter: 2}.run, Late: 5000, Detects: true, Stores: true})
}

func TestSuiteAcceptsHasteUpToEarly(t *testing.T) {
	proctest.Test(t, proctest.Machine{Run: flaws{shortFlight: true}.run, Early: 100, Stores: true})
}

func TestSuiteRejectsDelaysBeyondLate(t *testing.T) {
	const name = "a token goes round the ring in P(2o+L)"
	check := casesByName(t)[name].Check
	late := proctest.Machine{Run: flaws{longFlight: true}.run, Late: 69} // the token needs 70 hops
	assert.ErrorContains(t, check(late), "want t=")
	late.Late++
	assert.NoError(t, check(late))
}

// What a slow machine brings about is tried again with twice the time, in every case.
func TestSuiteTriesAgainWhatWasTooLate(t *testing.T) {
	slow := proctest.Machine{Run: flaws{jitter: 40}.run, Late: 10, Stores: true}
	patient := slow
	patient.Attempts = 12
	failed := 0
	for _, c := range proctest.Cases() {
		if c.Exact {
			continue
		}
		if c.Check(slow) != nil {
			failed++
		}
		assert.NoError(t, c.Check(patient), c.Name)
	}
	assert.Greater(t, failed, 20, "cases that a single attempt is not enough for")
}

// A machine that loses messages in its first run only is found out: those who wait for them wait for ever.
func TestSuiteDoesNotTakeLostMessagesForLateOnes(t *testing.T) {
	runs := 0
	err := casesByName(t)["messages of one sender stay in order"].Check(proctest.Machine{Late: 1000, Attempts: 5,
		Run: func(params clock.LogP, seed uint64, schedule faults.Schedule, program protocols.Program) (*report.Report, error) {
			if runs++; runs > 1 {
				return flaws{}.run(params, seed, schedule, program)
			}
			return mutant{distort: distort(lossy)}.run(params, seed, schedule, program)
		}})
	assert.ErrorContains(t, err, "the run failed")
	assert.Equal(t, 1, runs)
}

// Whatever else is found is found in the first attempt: what is seldom is no less wrong.
func TestSuiteTriesNothingElseAgain(t *testing.T) {
	cases := casesByName(t)
	for name, flaw := range map[string]mutant{
		"WaitUntil returns at the instant":                       {distort: waiting(waitTooShort)},
		"a message is in the mailbox 2o+L after its send starts": {flaws: flaws{shortFlight: true}},
		"messages of one sender stay in order":                   {distort: distort(newestFirst)},
	} {
		c, known := cases[name]
		require.True(t, known, name)
		runs := func(attempts int) (n int) {
			err := c.Check(proctest.Machine{Late: 1, Attempts: attempts, Run: func(params clock.LogP, seed uint64, schedule faults.Schedule, program protocols.Program) (*report.Report, error) {
				n++
				return flaw.run(params, seed, schedule, program)
			}})
			assert.Error(t, err, name)
			return n
		}
		assert.Equal(t, runs(1), runs(5), name)
	}
}

func TestSuiteRejectsHasteBeyondEarly(t *testing.T) {
	const name = "a token goes round the ring in P(2o+L)"
	check := casesByName(t)[name].Check
	early := proctest.Machine{Run: flaws{shortFlight: true}.run, Early: 69}
	assert.ErrorContains(t, check(early), "want t=")
	early.Early++
	assert.NoError(t, check(early))
}

// However fast a machine may be, its ranks must not return early from waiting.
func TestSuiteRejectsEarlyReturnFromWaitingInAnyCase(t *testing.T) {
	hasty := mutant{distort: waiting(waitTooShort)}
	m := proctest.Machine{Run: hasty.run, Early: clock.MaxCost, Late: clock.MaxCost}
	assert.ErrorContains(t, casesByName(t)["WaitUntil returns at the instant"].Check(m), "want t=")
}

// alone shares what is observed with nobody, but as it would be with others: nothing that cases judge by may get lost on that way.
func alone(own []byte) ([][]byte, error) { return [][]byte{own}, nil }

func TestSuiteFindsEveryBrokenMachine(t *testing.T) {
	cases := casesByName(t)
	for _, m := range mutants() {
		t.Run(m.name, func(t *testing.T) {
			require.NotEmpty(t, m.caught)
			for _, name := range m.caught {
				c, known := cases[name]
				require.True(t, known, "there is no case %q", name)
				assert.Error(t, c.Check(proctest.Machine{Run: m.run, Stores: true}), name)
				if thorough.All() {
					assert.Error(t, c.Check(proctest.Machine{Run: m.run, Stores: true, Share: alone}), name)
				}
			}
		})
	}
}

// A case that no broken machine ever fails might check nothing at all.
func TestEveryCaseFindsSomeBrokenMachine(t *testing.T) {
	finds := make(map[string]bool)
	for _, m := range mutants() {
		for _, name := range m.caught {
			finds[name] = true
		}
	}
	for _, c := range proctest.Cases() {
		assert.True(t, finds[c.Name], "no mutant is caught by %q", c.Name)
	}
}

// casesByName also makes sure that a name stands for one claim.
func casesByName(t *testing.T) map[string]proctest.Case {
	t.Helper()
	byName := make(map[string]proctest.Case)
	for _, c := range proctest.Cases() {
		require.NotContains(t, byName, c.Name)
		byName[c.Name] = c
	}
	return byName
}
