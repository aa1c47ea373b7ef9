package scenarios_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Of the common keys P, L, o and g are tried, others only if the protocol names them; and it may have values of its own.
func TestLinesAreMadeUpOfTheKeysThatAProtocolTries(t *testing.T) {
	p := testRegistry(nothing)[0]
	p.Keys = line.Keys{line.NumberKey("d", 7, 0, 9, "distance").Trying(line.Numbers(1, 2)), line.NumberKey("k", 7, 0, 9, "arity").Trying(nil)}
	madeUp := func() string {
		return p.MakeUp(func(_ line.Key, values []string) string { return values[len(values)-1] })
	}
	require.Equal(t, "test P=16 L=4 o=3 g=4 d=2", madeUp())
	p.Fuzz.Tries = map[string]line.Tries{"L": line.Words("5"), "k": line.Words("8"), "d": line.Words("6")}
	require.Equal(t, "test P=16 L=5 o=3 g=4 d=6 k=8", madeUp())
	p.Fuzz.Common = []string{"G", "seed"}
	require.Equal(t, "test P=16 L=5 o=3 g=4 G=1 seed=255 d=6 k=8", madeUp())
}

// Anything may happen to messages. Links are cut and mended, and ranks come back, where a protocol says that it can do with ranks that come back.
func TestSchedulesAreMadeForTheProtocol(t *testing.T) {
	p := scenarios.Protocol{Steps: []string{"vote"}, Fuzz: scenarios.Fuzz{Scale: 5}}
	require.Equal(t, faults.Decoder{Ranks: 9, Steps: p.Steps, Scale: 5, Messages: true}, p.Decoder(9))
	p.Rejoins = true
	require.Equal(t, faults.Decoder{Ranks: 9, Steps: p.Steps, Scale: 5, Rejoin: true, Cut: true, Mend: true, Messages: true}, p.Decoder(9))
}

// A protocol that keeps nothing has nothing to save, and loads nothing.
func TestARunKeepsWhatItsProtocolKeeps(t *testing.T) {
	run, err := testRegistry(nothing).ParseLine("test P=3")
	require.NoError(t, err)
	data, err := run.Save(1)
	require.NoError(t, err)
	require.Nil(t, data)
	require.NoError(t, run.Load(1, nil))
	require.EqualError(t, run.Load(1, []byte("abc")), "scenarios: 3 bytes of rank 1, want none: test keeps nothing")

	left := 42
	all := kept{nil, &left, nil}
	run, err = changed(nothing, func(_ line.Settings, e *scenarios.Experiment) { e.State = all.state() }).ParseLine("test P=3")
	require.NoError(t, err)
	data, err = run.Save(1)
	require.NoError(t, err)
	require.NotEmpty(t, data)
	require.NoError(t, run.Load(2, data))
	require.Equal(t, left, *all[2])
}

func TestALineWithAnotherSettingIsALineOfTheSameProtocol(t *testing.T) {
	run, err := testRegistry(nothing).ParseLine("test P=3 L=4")
	require.NoError(t, err)
	require.Equal(t, "test L=4 P=5", run.WithSetting("P", "5").String())
	require.Equal(t, 5, run.WithSetting("P", "5").Config().Ranks)
	require.PanicsWithValue(t, `scenarios: test P=3 L=4 with P=x: `+badRanks(t), func() { run.WithSetting("P", "x") })
}

// badRanks is what is said of a number of ranks that is none.
func badRanks(t *testing.T) string {
	_, err := testRegistry(nothing).ParseLine("test L=4 P=x")
	require.Error(t, err)
	return err.Error()
}

// What a line leaves open, and what follows from its faults, is said where the faults are others.
func TestOtherFaultsMeetTheRunThatTheyWereFoundIn(t *testing.T) {
	g := changed(nothing, func(s line.Settings, e *scenarios.Experiment) {
		e.Chosen = map[string]string{"L": fmt.Sprint(3 + min(1, len(s.Faults())))}
	})
	run, err := g.ParseLine("test P=3")
	require.NoError(t, err)
	require.Equal(t, "test P=3 faults=crash:1@t2 L=3", run.WithFaults(faults.MustParse("crash:1@t2")))
	require.Equal(t, "test P=3", run.WithFaults(nil), "the same is chosen")
	require.Equal(t, "test P=3 faults=crash:7@t2", run.WithFaults(faults.MustParse("crash:7@t2")), "nobody can run that")
}
