package proctest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/protocols/proctest"
)

// requireSame makes sure that all processes have found the same, and returns it.
func requireSame(t *testing.T, claim string, found []error) error {
	t.Helper()
	for _, err := range found {
		if found[0] == nil || err == nil {
			require.Equal(t, found[0], err, claim)
		} else {
			require.Equal(t, found[0].Error(), err.Error(), claim)
		}
	}
	return found[0]
}

// hardlyLate has the suite try a sample of the many schedules.
func hardlyLate(m *proctest.Machine) {
	if !thorough.All() {
		m.Late = 1
	}
}

func TestSuiteAcceptsMachineWhoseRanksAreInSeveralProcesses(t *testing.T) {
	for _, claim := range proctest.Cases() {
		if claim.Exact && !thorough.All() {
			continue
		}
		found := (&cluster{run: flaws{}.run}).check(t, claim, hardlyLate)
		require.NoError(t, requireSame(t, claim.Name, found), claim.Name)
	}
}

// What is found depends on nothing that only one process knows: nobody would wait for another one that tries again.
func TestAllProcessesTryAgainTogether(t *testing.T) {
	cases, again := proctest.Cases(), 0
	for i := 0; i < len(cases); i += thorough.Stride(10) {
		claim, slow := cases[i], &cluster{run: flaws{jitter: 40}.run}
		if claim.Exact {
			continue
		}
		attempts := func(n int) error {
			return requireSame(t, claim.Name, slow.check(t, claim, func(m *proctest.Machine) { m.Late, m.Attempts = 10, n }))
		}
		if attempts(1) != nil {
			again++
		}
		assert.NoError(t, attempts(12), claim.Name)
	}
	assert.Positive(t, again, "cases that a single attempt is not enough for")
}

func TestAllProcessesFindTheSameFaults(t *testing.T) {
	cases, all := casesByName(t), mutants()
	for i := 0; i < len(all); i += thorough.Stride(10) {
		for _, name := range all[i].caught[:thorough.Times(len(all[i].caught))] {
			found := (&cluster{run: all[i].run}).check(t, cases[name], hardlyLate)
			if err := requireSame(t, name, found); thorough.All() {
				require.Error(t, err, "%s: %s", all[i].name, name)
			}
		}
	}
}
