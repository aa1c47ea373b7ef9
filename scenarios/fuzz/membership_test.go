package fuzz

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/report"
)

// Names of steps are those of the protocol, and the corpus takes runs to all of them.
func TestRunsOfTheMembershipCorpusPassEveryStep(t *testing.T) {
	passed := make(map[string]int)
	back := 0
	for _, line := range membershipSeeds() {
		_, outcome := tried(t, of("membership"), line)
		for _, e := range outcome.Report.Events {
			if e.Kind == report.EventStep {
				passed[e.Step]++
			}
		}
		back += len(outcome.Report.Rejoined)
	}
	for _, step := range of("membership").Steps {
		require.GreaterOrEqual(t, passed[step], 5, step)
	}
	require.GreaterOrEqual(t, back, 5)
}

// A service that promised nothing would keep all its promises.
func TestMostRunsOfTheMembershipCorpusPromiseAgreement(t *testing.T) {
	for kind, least := range map[string]int{"crash:": 20, "rejoin:": 10, "cut:": 5, "join=": 5, "network=": 3} {
		promised := 0
		for _, line := range membershipSeeds() {
			if !strings.Contains(line, kind) {
				continue
			}
			if _, outcome := tried(t, of("membership"), line); outcome.Verdict() == guarantee.Held {
				promised++
			}
		}
		require.GreaterOrEqual(t, promised, least, kind)
	}
}

// Of the fixed inputs that runs are tried with, most are judged: with ranks that are slow, timeouts that are too short or
// a service that ends too soon little is promised.
func TestMostInputsOfMembershipAreJudged(t *testing.T) {
	to, judged, inputs := of("membership"), 0, thorough.Times(uint64(500))
	for seed := range inputs {
		text, _ := to.decode(someInput(to, seed))
		if _, outcome := tried(t, to, text); outcome.Verdict() == guarantee.Held {
			judged++
		}
	}
	require.Greater(t, 2*judged, int(inputs), "of %d", inputs)
}

func membershipSeeds() map[string]string {
	for _, c := range corpora {
		if c.to == of("membership") {
			return c.seeds
		}
	}
	panic("fuzz: no corpus of membership")
}

// Only this protocol lets ranks come back and cuts links: to the others, the same bytes mean
// what they always have.
func TestOnlyMembershipKnowsRejoinsAndCuts(t *testing.T) {
	for _, to := range targets {
		data := make([]byte, to.headerBytes(), to.headerBytes()+6)
		data[1] = 3 // P
		data = append(data, 5, 1, 9, 6, 1, 9)
		text, _ := to.decode(data)
		_, schedule, _ := strings.Cut(text, " faults=")
		if to == of("membership") {
			require.Equal(t, "rejoin:1@t30,cut:1|*@t27", schedule)
		} else {
			require.Regexp(t, `^late:1@send10\+\d,lose:1@send10$`, schedule, to.Name)
		}
	}
}

// The shell would take a cut for a pipe.
func TestCutsAreQuotedInErrors(t *testing.T) {
	err := judged(t, forged(of("membership"), func(guarantee.Run) string { return "always" }), "membership P=5 every=60 faults=cut:3|*@t30")
	require.ErrorContains(t, err, " 'faults=cut:3|*@t30'")
}
