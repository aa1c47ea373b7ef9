package proctest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/proctest"
	"github.com/mangrove-emu/mangrove/report"
)

// counted is a machine that keeps the contract and counts its runs.
func counted(runs *int) proctest.Machine {
	return proctest.Machine{Detects: true, Stores: true, Run: func(params clock.LogP, seed uint64, schedule faults.Schedule, program protocols.Program) (*report.Report, error) {
		*runs++
		return flaws{}.run(params, seed, schedule, program)
	}}
}

// A suite that leaves claims out would accept any machine.
func TestSuiteChecksEveryClaimThatCanBeChecked(t *testing.T) {
	exact, others, tested := 0, 0, 0
	for _, c := range proctest.Cases() {
		runs := &others
		if c.Exact {
			runs = &exact
		}
		assert.NoError(t, c.Check(counted(runs)), c.Name)
	}
	assert.Positive(t, exact)
	assert.Positive(t, others)

	proctest.Test(t, counted(&tested))
	assert.Equal(t, exact+others, tested, "on a machine whose times are exact")

	tested = 0
	late := counted(&tested)
	late.Late = 1
	proctest.Test(t, late)
	assert.Equal(t, others, tested, "on a machine whose times are not")
}
