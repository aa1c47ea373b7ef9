package fuzz

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// tried runs a line of a target.
func tried(t *testing.T, to *target, text string) *trial {
	t.Helper()
	run, err := to.ParseLine(text)
	require.NoError(t, err)
	done, err := to.run(run, run.Settings().Faults())
	require.NoError(t, err)
	return done
}

// A premise that is too strict would excuse what is promised, one that is too lax would accuse
// wrongly. So every line here stands next to one that differs in a single failure.
func TestPremisesAreAsWideAsThePromises(t *testing.T) {
	const proof = "broadcast P=9 L=2 o=1 correction=failure-proof "
	for line, want := range map[string][4]bool{ // waitsForNothing, spreads, allOrNothing, punctual
		proof + "f=2":                                                                     {true, true, true, true},
		proof + "f=2 faults=crash:3@t9":                                                   {true, true, true, false},
		proof + "f=2 faults=crash:3@t9,hang:4@send2":                                      {true, true, true, false}, // exactly f late ones
		proof + "f=1 faults=crash:3@t9,hang:4@send2":                                      {true, false, false, false},
		proof + "f=0 faults=crash:3,crash:4":                                              {true, true, true, true},
		proof + "f=0 faults=crash:3@t9":                                                   {true, false, false, false},
		proof + "f=1 faults=crash:0@send2":                                                {true, false, true, false},
		proof + "f=1 faults=crash:0@send2,crash:3":                                        {true, false, true, false},
		proof + "f=1 faults=crash:0@send2,crash:3@t9":                                     {true, false, false, false},
		proof + "f=1 repeat=2":                                                            {false, true, false, true},
		proof + "f=1 repeat=2 faults=slow:3x2":                                            {false, true, false, false},
		proof + "f=1 repeat=2 faults=crash:3":                                             {false, true, false, true},
		"broadcast P=9 correction=checked faults=crash:3":                                 {true, true, false, true},
		"broadcast P=9 correction=checked faults=crash:3@after-send1":                     {true, false, false, false},
		"broadcast P=9 correction=delayed faults=hang:3":                                  {true, true, false, true},
		"broadcast P=9 correction=delayed faults=hang:3@after-send1":                      {true, false, false, false},
		"broadcast P=9 correction=ack":                                                    {false, true, false, true},
		"broadcast P=9 correction=ack faults=crash:3":                                     {false, false, false, false},
		"broadcast P=9 correction=none faults=slow:3x2":                                   {true, true, false, false},
		"broadcast P=9 correction=none faults=crash:3":                                    {true, false, false, false},
		"broadcast P=9 correction=opportunistic":                                          {true, true, false, true},
		"broadcast P=9 correction=opportunistic faults=crash:3":                           {true, false, false, false},
		"broadcast P=9 correction=opportunistic start=sync faults=slow:3x2":               {true, false, false, false},
		"broadcast P=9 correction=optimized start=sync faults=slow:3x2":                   {true, false, false, false},
		"broadcast P=9 correction=cautious start=sync faults=slow:3x2":                    {true, false, false, false},
		"broadcast P=9 correction=cautious start=overlapped faults=slow:3x2":              {true, true, false, false},
		"broadcast P=9 correction=optimized start=overlapped faults=crash:3@after-send60": {true, true, false, true}, // it did not fail
	} {
		run := tried(t, of("broadcast"), line)
		got := [4]bool{waitsForNothing(run), spreads(run), allOrNothing(run), punctual(run)}
		require.Equal(t, want, got, "waitsForNothing, spreads, allOrNothing, punctual of %s", line)
	}
}

// promised says of each promise of a target whether it is made for a run.
func promised(to *target, run *trial) []bool {
	var made []bool
	for _, p := range to.promises.list {
		made = append(made, p.premise == nil || p.premise(run))
	}
	return made
}

func TestMultiTreesAndReductionsPromiseForAsManyFailuresAsTheyStand(t *testing.T) {
	for _, c := range []struct {
		to   *target
		line string
		want []bool
	}{
		{of("multitree"), "multitree P=9 trees=3 k=3 faults=crash:1,crash:2@send1", []bool{true, true}},
		{of("multitree"), "multitree P=9 trees=3 k=3 faults=crash:1,crash:2,crash:3", []bool{true, false}},
		{of("multitree"), "multitree P=9 trees=3 k=3 faults=crash:0@send1", []bool{true, false}},
		{of("allreduce"), "allreduce P=9 f=2 correction=failure-proof faults=crash:3,crash:4@t9", []bool{true, true, true}},
		{of("allreduce"), "allreduce P=9 f=1 correction=failure-proof faults=crash:3,crash:4@t9", []bool{true, true, false}},
		{of("allreduce"), "allreduce P=9 f=1 correction=failure-proof faults=slow:3x2", []bool{true, true, false}},
		{of("allreduce"), "allreduce P=9 f=1 correction=none faults=crash:3", []bool{true, false, false}},
		{of("allreduce"), "allreduce P=9 f=1 correction=failure-proof faults=crash:0@step:coloured", []bool{true, false, false}},
	} {
		require.Equal(t, c.want, promised(c.to, tried(t, c.to, c.line)), c.line)
	}
}

// Whoever breaks a promise with exactly as many late failures as it stands is found out.
func TestExactlyFLateFailuresAreJudged(t *testing.T) {
	const late = "broadcast P=9 L=2 o=1 correction=failure-proof f=2 faults=crash:3@t9,hang:4@send2"
	for _, premise := range []func(*trial) bool{spreads, allOrNothing} {
		strict := forged(of("broadcast"), func(*trial) string { return "always" })
		strict.promises.list[0].premise = premise
		require.ErrorContains(t, judged(t, strict, late), "fuzz: forged: broken: always")
		require.NoError(t, judged(t, strict, late+",crash:5@after-send1"), "one more than f")
	}
}
