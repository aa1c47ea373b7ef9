package catalog

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios"
)

func TestMembershipRefusesWhatDoesNotGoTogether(t *testing.T) {
	for line, want := range map[string]string{
		"membership a=3":                               `"a=3": want a power of two from 2 to 65536`,
		"membership a=1":                               `"a=1": want a power of two from 2 to 65536`,
		"membership a=02":                              `"a=02": want a power of two from 2 to 65536`,
		"membership P=8 members=9":                     "9 members, want 1 to 8",
		"membership P=8 ask=3:9@t5":                    "question of rank 3 to rank 9 at t=5, want two of ranks 0 to 7",
		"membership P=8 ask=3:3@t5":                    "question of rank 3 to rank 3",
		"membership P=8 ask=3@t5":                      `"3@t5": want rank:rank@tTICKS, such as 11:4@t5`,
		"membership P=8 ask=3:4":                       `"3:4": want rank:rank@tTICKS`,
		"membership P=8 join=7@t5":                     "rank 7 joins, but all 8 ranks are members from the start",
		"membership P=8 members=6 join=7":              `"7": want rank@tTICKS, such as 7@t20`,
		"membership P=8 members=6 join=7@t1,7@t2":      "rank 7 joins twice",
		"membership P=12 network=switch:5 every=1":     "every=1 ticks, want 120 or more: the switch",
		"membership P=8 members=6 join=5@t5":           "rank 5 joins at t=5, want one of ranks 6 to 7",
		"membership P=8 until=0":                       `"until=0": want auto or a number from 1 to`,
		"membership P=8 inquire=nobody":                `"inquire=nobody": want successor, random or none`,
		"membership P=8 compute=2us":                   "tick",
		"membership P=2000 network=torus:8x8x16":       "1024 nodes, and P=2000 ranks",
		"membership P=8 faults=rejoin:3@t0":            "rejoin:3@t0",
		"membership P=8 faults=cut:0-3|3-7@t0":         "cut:0-3|3-7@t0",
		"broadcast P=8 faults=crash:3@t1,rejoin:3@t90": "membership",
	} {
		_, err := ParseLine(line)
		require.ErrorContains(t, err, want, line)
	}
}

// Who tells of a fault that comes too late should hear that it has no effect.
func TestMembershipNotesFaultsAfterItsEnd(t *testing.T) {
	outcome := mustExecute(t, "membership P=4 until=500 faults=crash:2@t600", scenarios.Options{})
	require.Equal(t, []string{"crash:2@t600 comes after the end of the service, until=500"}, outcome.Notes)
	require.Empty(t, mustExecute(t, "membership P=4 until=500 faults=crash:2@t400", scenarios.Options{}).Notes)
	outcome = mustExecute(t, "membership P=4 inquire=none every=7", scenarios.Options{})
	require.Len(t, outcome.Notes, 1)
}

// Under contention the base model is too low, and the model that has all ranks send at once is
// too high.
func TestMembershipBehindASwitchLiesBetweenTheModels(t *testing.T) {
	for _, line := range []string{
		"membership P=47 a=2 L=10 network=switch:2 faults=crash:3@t0",
		"membership P=47 a=4 L=10 network=switch:2 faults=crash:3@t0",
		"membership P=15 a=2 L=100 network=switch:5 faults=crash:3@t0",
	} {
		x, err := MeasureStabilization(t.Context(), line)
		require.NoError(t, err)
		require.Greater(t, x.Measured, x.Base+x.Items.Overheads+x.Items.Sends, line)
		require.Less(t, x.Measured, x.Contention, line)
	}
}

// Joins, rejoins and partitions on the line.
func TestMembershipLinesHold(t *testing.T) {
	for _, line := range []string{
		"membership P=9 members=7 join=7@t20,8@t90",
		"membership P=9 a=4 faults=crash:0@t50,rejoin:0@t900 until=9000",
		"membership P=64 a=8 network=fattree:4x3 faults=crash:~3@t5",
		"membership P=27 network=mesh:3x3x3 compute=7 faults=hang:4@t90,crash:0@recv3 until=30000",
		"membership P=12 faults=cut:~3|*@t100 until=30000",
		"membership P=16 o=2 g=5 G=1 faults=crash:~4@t40,rejoin:~2@t700 until=600000",
	} {
		outcome := mustExecute(t, line, scenarios.Options{})
		require.Equal(t, guarantee.Held, outcome.Verdict(), "%s: %v", line, outcome.Guarantees)
	}
}

// If the line does not say until when, there is time for its faults, whenever they come; a line without any
// ends when it always has.
func TestMembershipLastsAsLongAsItsFaultsNeed(t *testing.T) {
	for _, line := range []string{
		"membership P=1024 faults=crash:~64@t100", "membership P=64 faults=crash:5%@t0", "membership P=16 faults=crash:3@t9000",
		"membership P=16 faults=cut:0-5|6-15@t5000", "membership P=16 a=2 faults=cut:0|*@t3738", "membership P=12 faults=crash:3@send30,rejoin:3@t5000",
		"membership P=12 faults=crash:3@t5,crash:0@step:install", "membership P=16 minority=abort faults=cut:0-7|8-15@t1000",
		"membership P=9 members=7 join=7@t20,8@t9000 faults=crash:0@t9001",
	} {
		outcome := mustExecute(t, line, scenarios.Options{})
		require.Equal(t, guarantee.Held, outcome.Verdict(), "%s: %v", line, outcome.Guarantees)
		require.Equal(t, guarantee.Held, outcome.Guarantees[0].Value, "%s: %v", line, outcome.Guarantees)
	}
	run, err := ParseLine("membership P=16")
	require.NoError(t, err)
	require.Equal(t, map[string]string{"until": "3736"}, run.Experiment().Chosen)
}

// Where minorities abort there is time to lose half of the members, whatever the line says, but not to find out one by one in a large
// group that the others have aborted.
func TestMembershipLastsLongEnoughToLoseHalf(t *testing.T) {
	until := func(line string) clock.Time {
		run, err := ParseLine(line)
		require.NoError(t, err)
		return run.Experiment().State.(membershipDetails).service.Options().Until
	}
	require.Equal(t, until("membership P=16"), until("membership P=16 minority=abort"), "there is time anyway")
	require.Equal(t, until("membership P=256 inquire=random"), until("membership P=256 minority=abort inquire=random"), "nobody need ever notice")
	require.Greater(t, until("membership P=256 minority=abort"), until("membership P=256"))
	require.EqualValues(t, 6302, until("membership P=256 minority=abort"), "ranks 0, 2, 4, ... are gone")
	half := "membership P=256 minority=abort faults=cut:~128|*@t100"
	require.Less(t, until(half), until("membership P=256 faults=cut:~128|*@t100").Times(10))
	outcome := mustExecute(t, half, scenarios.Options{})
	require.Equal(t, guarantee.Held, outcome.Verdict(), "they have all aborted before they must: %v", outcome.Guarantees)
}

// What a search has found happens again: its lines say until when the service lasted.
func TestLinesOfSearchesSayUntilWhenTheServiceLasts(t *testing.T) {
	run, err := ParseLine("membership P=16")
	require.NoError(t, err)
	late := faults.MustParse("crash:3@t3700")
	require.Equal(t, "membership P=16 faults=crash:3@t3700 until=3736", run.WithFaults(late))
	early := faults.MustParse("crash:3@t100")
	require.Equal(t, "membership P=16 faults=crash:3@t100", run.WithFaults(early), "that ends then anyway")
	again, err := ParseLine(run.WithFaults(late))
	require.NoError(t, err)
	require.Equal(t, run.Experiment().Chosen, again.Experiment().Chosen)
}

// The report says who has aborted, and when.
func TestMembershipReportsWhoAborted(t *testing.T) {
	outcome := mustExecute(t, "membership P=7 minority=abort faults=cut:0-2|3-6@t1000", scenarios.Options{})
	i := slices.IndexFunc(outcome.Details, func(d scenarios.Detail) bool { return d.Name == "aborted" })
	require.GreaterOrEqual(t, i, 0)
	for rank := range 3 {
		require.Contains(t, outcome.Details[i].Text, fmt.Sprint(rank))
	}
	require.Contains(t, outcome.Details[i].Text, " at t=")
}
