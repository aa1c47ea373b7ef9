package conformance_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/protocols/ulfm/conformance"
)

// eachCase has a test for each case and each detector.
func eachCase(t *testing.T, test func(t *testing.T, l *lab)) {
	for _, c := range conformance.Cases {
		for _, d := range detectors {
			t.Run(string(c.Suite)+"/"+c.Name+"/"+d.name, func(t *testing.T) {
				t.Parallel()
				test(t, newLab(t, c, d))
			})
		}
	}
}

// caseOf finds a case.
func caseOf(t testing.TB, suite conformance.Suite, name string) *conformance.Case {
	t.Helper()
	for _, c := range conformance.Cases {
		if c.Suite == suite && c.Name == name {
			return c
		}
	}
	require.Fail(t, "there is no such case", "%s/%s", suite, name)
	return nil
}

func TestCasesEndAsMPIRequires(t *testing.T) {
	eachCase(t, func(t *testing.T, l *lab) {
		got, err := l.run(l.own())
		require.NoError(t, err)
		require.Equal(t, l.asItIs(), got.Ending, "%v", got.why)
		if got.Ending != conformance.Aborts && got.Ending != conformance.NeverEnds {
			require.Empty(t, l.rep.Unfired, "faults that did not happen")
		}
	})
}

// asItIs is how the case ends without further failures. What differs needs one.
func (l *lab) asItIs() conformance.Ending {
	if l.c.Ending == conformance.Differs {
		return conformance.Completes
	}
	return l.c.Ending
}

func TestCasesStandOneFailureMoreAtEveryPoint(t *testing.T) {
	eachCase(t, func(t *testing.T, l *lab) {
		if l.c.Ending != conformance.Differs {
			require.NoError(t, explored(t, l).wrong)
		}
	})
}

// A program that does not agree on a communicator that it has made: some ranks have it, others do not.
func TestAProgramThatForgetsToAgreeIsCaughtByOneFailure(t *testing.T) {
	forgetful := caseOf(t, conformance.Exercise, "q06.err_comm_dup")
	for _, d := range detectors {
		result, err := emutest.Check(t.Context(), emutest.Test{
			Machine:   machineOf(forgetful),
			Detection: d.Detection,
			New: func() emutest.Instance {
				trial := conformance.NewTrial(forgetful)
				return emutest.Instance{Program: trial.Program(), Prepare: trial.Forget, Check: trial.Judge}
			},
			Guarantees: []guarantee.Guarantee{guarantee.NoDeadlock{}},
			Faults:     1,
			Kinds:      []faults.Kind{faults.Crash},
		})
		require.NoError(t, err)
		require.Len(t, result.Violations, 1, d.name)
		v := result.Violations[0]
		require.Len(t, v.Schedule, 1)
		require.Len(t, v.Broken, 1)
		require.Contains(t, v.Broken[0].Evidence, "all have it: ")
	}
}

func TestUniformCreationNeedsNoAgree(t *testing.T) {
	forgetful := caseOf(t, conformance.Exercise, "q06.err_comm_dup")
	uniform := *forgetful
	uniform.Run = func(r *conformance.Rank) {
		r.World.SetErrorUniform(ulfm.UniformConstruct)
		forgetful.Run(r)
	}
	l := newLab(t, &uniform, detectors[1])
	_, err := l.run(l.own())
	require.NoError(t, err)
	all := l.further()
	require.NotEmpty(t, all)
	for _, schedule := range all {
		got, err := l.run(schedule)
		require.NoError(t, err)
		require.Equal(t, conformance.Completes, got.Ending, "faults=%v: %v", schedule, got.why)
	}
}

// What our tools show of programs that misbehave on purpose.
func TestWrongProgramsAreExplained(t *testing.T) {
	why := func(name string) error {
		l := newLab(t, caseOf(t, conformance.Exercise, name), detectors[0])
		got, err := l.run(l.own())
		require.NoError(t, err)
		return got.why
	}
	var aborted *ulfm.AbortError
	require.ErrorAs(t, why("q01.err_returns"), &aborted)
	require.ErrorIs(t, aborted, ulfm.ErrProcFailed)
	require.Equal(t, "world", aborted.Comm)
	require.ErrorContains(t, why("q04.if_error"), "in Sendrecv on communicator 0.2, with rank ")
	require.ErrorContains(t, why("q08.err_any_src"), "the run is not over at the time limit")
}

func TestAMachineWithoutADetectorIsRefused(t *testing.T) {
	l := newLab(t, conformance.Cases[0], detector{})
	_, err := l.run(nil)
	require.ErrorContains(t, err, "detector")
	require.False(t, errors.Is(err, ulfm.ErrProcFailed))
}
