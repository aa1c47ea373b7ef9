package proctest

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// Machine is what the suite needs of the machine under test.
type Machine struct {
	// Run runs the program on a machine with these parameters, under a schedule that is explicit. It
	// returns when nothing can happen any more and says how each rank has ended, who waits for ever and
	// which faults did not happen; or an error: a panic, a timeout.
	Run func(params clock.LogP, seed uint64, schedule faults.Schedule, program protocols.Program) (*report.Report, error)
	// Early and Late are by how many ticks something may happen before or after the
	// instant that the model gives for it. Both 0: the machine keeps to the model exactly.
	// No rank may ever return early from waiting on its own clock.
	Early, Late clock.Time
	// Attempts is how often a claim may be checked, if that is more than once, as long as all that is
	// found is that the machine was too slow: its processors may have been busy with something else. Every
	// attempt allows twice the Late of the one before. All else counts the first time. A message that is not
	// there when a case looks for it may be late or lost, so it counts as late; that one is lost now and then
	// is found by the many cases that wait for messages until they come, as their runs do not end.
	Attempts int
	// Detects says that machines have a failure detector, which notices a crash within a hundred times 2o+L. When it does may differ from
	// observer to observer. Without one, Test leaves out the claims about it.
	Detects bool
	// Stores says that ranks have stable storage. Without it, Test leaves out the claims about that, but for the one that nobody has it.
	Stores bool
	// AtOnce is how many runs may go on at the same time, if that is more than one: on a machine
	// with a real clock most of the time goes by waiting.
	AtOnce int
	// Share is for a machine whose ranks are in several processes; nil: all are in this one. Every process then runs the whole suite, in
	// the same order, so AtOnce must not be more than 1. Its Run runs the program on the ranks that are here, which stay here in all their lives, and
	// returns when the run is over everywhere; at least one process returns the report, and others may return none.
	//
	// When a run is over each process calls Share, which gives own to all processes and returns what each of them has given: in the order
	// of processes, which is the same in all. So all judge the same observations and find the same, attempts included. It does not keep own,
	// and what it returns may be overwritten by the next call.
	Share func(own []byte) (all [][]byte, err error)
}

// exact reports whether the machine's times are those of the model.
func (m Machine) exact() bool { return m.Early == 0 && m.Late == 0 }

// Case is one claim of the contract.
type Case struct {
	Name  string // the claim
	Exact bool   // it can only be checked where times are exact
	// Detector says that it is about failure detectors.
	Detector bool
	// Storage says that it is about stable storage.
	Storage bool

	on    []clock.LogP // the machines to check it on
	check func(c *checker)
}

// Cases returns all claims, ordered by topic.
func Cases() []Case {
	return slices.Concat(startCases, sendCases, receiveCases, orderCases, wantCases,
		deadlineCases, waitCases, payloadCases, randomCases, endCases, lingerCases, stormCases, faultCases, slowCases, cutCases, messageCases, detectorCases, storageCases)
}

// Check checks the claim and returns everything that contradicts it, or nil.
func (c Case) Check(m Machine) error {
	var found []error
	for _, params := range c.on {
		if err := c.checkOn(m, params); err != nil {
			found = append(found, fmt.Errorf("%s: %w", describe(params), err))
		}
	}
	return errors.Join(found...)
}

// checkOn checks the claim on one machine.
func (c Case) checkOn(m Machine, params clock.LogP) error {
	if m.Share != nil && m.AtOnce > 1 {
		return fmt.Errorf("proctest: AtOnce is %d, and with Share it must be 1 or 0: processes share what they know of one run at a time", m.AtOnce)
	}
	for attempt := 1; ; attempt++ {
		checker := &checker{LogP: params, machine: m, claim: c.Name, attempt: attempt}
		c.check(checker)
		if !checker.onlyLate() || attempt >= m.Attempts {
			return errors.Join(checker.found...)
		}
		m.Late *= 2
	}
}

// Test checks every claim that can be checked on such a machine, each as a subtest with one more for
// each set of parameters.
func Test(t *testing.T, m Machine) {
	places := make(chan struct{}, max(1, m.AtOnce))
	var shows []func()
	for _, c := range Cases() {
		if c.Exact && !m.exact() || c.Detector && !m.Detects || c.Storage && !m.Stores {
			continue
		}
		found := c.begin(m, places)
		shows = append(shows, func() { c.show(t, found) })
	}
	for _, show := range shows {
		show()
	}
}

// begin checks the claim on all machines, as soon as there is a place for each. With only one place it
// returns when all is done, so that no two runs ever meet.
func (c Case) begin(m Machine, places chan struct{}) []chan error {
	var found []chan error
	for _, params := range c.on {
		result := make(chan error, 1)
		found = append(found, result)
		places <- struct{}{}
		check := func() {
			defer func() { <-places }()
			result <- c.checkOn(m, params)
		}
		if cap(places) == 1 {
			check()
		} else {
			go check()
		}
	}
	return found
}

// show makes subtests of what was found.
func (c Case) show(t *testing.T, found []chan error) {
	t.Run(c.Name, func(t *testing.T) {
		for i, params := range c.on {
			t.Run(describe(params), func(t *testing.T) {
				if err := <-found[i]; err != nil {
					t.Error(err)
				}
			})
		}
	})
}
