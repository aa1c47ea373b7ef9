package fuzz

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// toy is a registry with one protocol of which nothing is known. It refuses to run on more than 8 ranks.
func toy(main func(protocols.Proc), checks ...guarantee.Guarantee) scenarios.Registry {
	return scenarios.Registry{{Name: "toy", Build: func(s line.Settings) (scenarios.Experiment, error) {
		if s.Int("P") > 8 {
			return scenarios.Experiment{}, errors.New("too many ranks")
		}
		return scenarios.Experiment{Program: protocols.Program{Main: main}, Promises: checks}, nil
	}}}
}

// A protocol is judged by its promises, and no run may panic, wait for ever or
// depend on how it is executed.
func TestAnyProtocolIsJudgedByItsPromises(t *testing.T) {
	never := guarantee.Func("never", true, func(guarantee.Run) (bool, string) { return false, "as it happens" })
	turns := 0
	for _, c := range []struct {
		main   func(protocols.Proc)
		checks []guarantee.Guarantee
		says   string
	}{
		{func(protocols.Proc) {}, nil, ""},
		{func(protocols.Proc) {}, []guarantee.Guarantee{never}, "fuzz: never: broken: as it happens"},
		{func(protocols.Proc) {}, []guarantee.Guarantee{guarantee.Promise{Guarantee: never, Stands: []guarantee.Premise{{Says: "no more than this", Unmet: func(guarantee.Run) string { return "more" }}}}}, ""},
		{func(protocols.Proc) { panic("boom") }, nil, "panicked at t=0: boom"},
		{func(p protocols.Proc) { p.Recv(mailbox.Any) }, nil, "fuzz: no deadlock: broken: rank 0 waiting"},
		{func(p protocols.Proc) { turns++; p.WaitUntil(clock.Time(turns)) }, nil, "the same run has hash"},
	} {
		err := Protocol(toy(c.main, c.checks...), "toy")([]byte{modeTwice})
		if c.says == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, c.says)
		require.ErrorContains(t, err, "mangrove run toy P=1 L=1 o=1 g=0")
	}
}

// What a protocol refuses is no run, and no fault of its own.
func TestSettingsThatDoNotGoTogetherAreNoError(t *testing.T) {
	target := Protocol(toy(func(protocols.Proc) { panic("boom") }), "toy")
	require.Error(t, target([]byte{0, 7}))
	require.NoError(t, target([]byte{0, 8}))
}

func TestUnknownProtocolsAreNoTargets(t *testing.T) {
	require.PanicsWithValue(t, "fuzz: no protocol ring, want toy", func() { Protocol(toy(nil), "ring") })
}
