package conformance

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// judged runs a program of three ranks and says what is wrong with it. Rank 2 fails at its step; it begins again at t=500.
func judged(t *testing.T, schedule string, run func(r *Rank)) error {
	t.Helper()
	machine, err := emu.New(emu.Config{
		LogP:      clock.LogP{Ranks: 3, Latency: 2, Overhead: 1},
		Detection: emu.Detection{Delay: 4}, Trace: emu.TraceEvents,
	})
	require.NoError(t, err)
	trial := NewTrial(&Case{Ranks: 3, Faults: "crash:2@step:die", Run: run})
	trial.Forget()
	rep, err := machine.Run(t.Context(), trial.Program(), emu.Options{Faults: faults.MustParse(schedule)})
	require.NoError(t, err)
	return trial.Judge(rep)
}

// atRank0 has rank 2 fail at t=100, and rank 0 note something at t=50 and at t=150.
func atRank0(note func(r *Rank)) func(r *Rank) {
	return func(r *Rank) {
		switch {
		case r.anew() || r.me == 1:
		case r.me == 2:
			r.sleep(100)
			r.die()
		default:
			for range 2 {
				r.sleep(50)
				note(r)
				r.sleep(50)
			}
		}
	}
}

func TestRequirementsDependOnWhoHasFailedByThen(t *testing.T) {
	failure := &ulfm.FailedError{Ranks: []int{2}}
	for name, test := range map[string]struct {
		note func(r *Rank)
		want string // "": nothing is wrong
	}{
		"a call that must succeed may fail once a rank has failed that it needs": {
			func(r *Rank) { r.must(r.World, "call", failure, 2) }, "rank 0 at t=50, call: ulfm: rank 2 has failed"},
		"but not because of others": {
			func(r *Rank) { r.must(r.World, "call", failure, 1) }, "rank 0 at t=150, call: ulfm: rank 2 has failed"},
		"nor with another error": {
			func(r *Rank) { r.mustAll(r.World, "call", ulfm.ErrRevoked) }, "rank 0 at t=150, call: ulfm: the communicator is revoked"},
		"one that must always succeed may never fail": {
			func(r *Rank) { r.mustAlways("call", failure) }, "rank 0 at t=150, call: "},
		"a failure is reported only after it": {
			func(r *Rank) { r.any(r.World, "call", failure, failed) }, "rank 0 at t=50, call: ulfm: rank 2 has failed, but no member has"},
		"success where there must be an error": {
			func(r *Rank) { r.any(r.World, "call", nil, failed) }, "rank 0 at t=150, call: <nil>"},
		"what is allowed": {
			func(r *Rank) { r.any(r.World, "call", nil, ok|failed) }, ""},
		"a value": {
			func(r *Rank) { r.is("value", 2, 3) }, "rank 0 at t=50, value: 2, want 3"},
		"a value that holds unless others fail": {
			func(r *Rank) { r.isUnless("value", 2, 3) }, "rank 0 at t=150, value: 2, want 3"},
		"what must not happen": {
			func(r *Rank) { r.never("that") }, "rank 0 at t=50, that: happened"},
		"an error that is none of MPI's": {
			func(r *Rank) { r.any(r.World, "call", ulfm.ErrExcluded, ok|failed|pending|revoked) }, "the others take this rank for failed"},
	} {
		t.Run(name, func(t *testing.T) {
			err := judged(t, "crash:2@step:die", atRank0(test.note))
			if test.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, test.want)
			}
		})
	}
}

func TestAFailureThatIsNotTheCasesOwnExcusesValues(t *testing.T) {
	note := atRank0(func(r *Rank) { r.isUnless("value", 2, 3) })
	require.ErrorContains(t, judged(t, "crash:2@step:die", note), "t=150")
	require.NoError(t, judged(t, "crash:2@step:die,crash:1@t0", note))
	err := judged(t, "crash:2@step:die,crash:2@t60", note)
	require.ErrorContains(t, err, "t=50")
	require.NotContains(t, err.Error(), "t=150", "it has failed earlier than in the case")
}

func TestARankThatBeginsAgainIsNeededAgain(t *testing.T) {
	failure := &ulfm.FailedError{Ranks: []int{2}}
	late := func(r *Rank) {
		if r.me == 0 {
			r.sleep(120)
			r.must(r.World, "before", failure, 2)
			r.sleep(100)
			r.must(r.World, "after", failure, 2)
			r.any(r.World, "of the old communicator", failure, failed)
		} else if r.me == 2 && !r.anew() {
			r.sleep(100)
			r.die()
		}
	}
	require.NoError(t, judged(t, "crash:2@step:die", late))
	err := judged(t, "crash:2@step:die,rejoin:2@t200", late)
	require.ErrorContains(t, err, "after: ")
	require.NotContains(t, err.Error(), "before")
	require.NotContains(t, err.Error(), "old communicator")
	require.NoError(t, judged(t, "crash:2@step:die,rejoin:2@t200,crash:2@t210", late), "and has failed again")
}

func TestWhatMustBeTheSameIsComparedAmongThoseWhoLive(t *testing.T) {
	differ := func(rank int) func(r *Rank) {
		return func(r *Rank) {
			r.same("value", r.me == rank)
			if r.me == 2 {
				r.die()
			}
		}
	}
	require.ErrorContains(t, judged(t, "crash:2@step:die", differ(1)), "value: false on rank 0, true on rank 1")
	require.NoError(t, judged(t, "crash:2@step:die", differ(2)))
}
