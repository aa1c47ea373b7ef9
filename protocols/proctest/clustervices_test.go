package proctest_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/proctest"
	"github.com/mangrove-emu/mangrove/report"
)

// clusterFlaws are what can be wrong with a machine because its ranks are in several processes.
type clusterFlaws struct {
	main       func(c *cluster, p protocols.Proc)   // runs a rank
	afterwards func(c *cluster)                     // when a run is over
	shared     func(all [][]byte) ([][]byte, error) // changes what a process gets to know
}

// clusterVices are such flaws, and what is found of them.
var clusterVices = []struct {
	name  string
	flaws clusterFlaws
	found string
}{
	{"observations of a process are lost", clusterFlaws{shared: func(all [][]byte) ([][]byte, error) { return all[1:], nil }}, ""},
	{"nobody hears of anybody", clusterFlaws{shared: func([][]byte) ([][]byte, error) { return nil, nil }}, "there is no report"},
	{"observations come empty", clusterFlaws{shared: func(all [][]byte) ([][]byte, error) {
		all[0] = nil
		return all, nil
	}}, "0 bytes that are not what was sent"},
	{"the last byte is lost", clusterFlaws{shared: func(all [][]byte) ([][]byte, error) {
		all[0] = all[0][:len(all[0])-1]
		return all, nil
	}}, "not what was sent"},
	{"a bit differs", clusterFlaws{shared: func(all [][]byte) ([][]byte, error) {
		all[0][len(all[0])/2] ^= 1
		return all, nil
	}}, "not what was sent"},
	{"sharing fails", clusterFlaws{shared: func([][]byte) ([][]byte, error) { return nil, errors.New("who is there?") }}, "cannot be shared: who is there?"},
	{"ranks run in two processes", clusterFlaws{shared: func(all [][]byte) ([][]byte, error) { return append(all, all[0]), nil }}, "ran in process 0 and in process 3"},
	{"ranks run in no process", clusterFlaws{main: func(c *cluster, p protocols.Proc) {
		if home(p) > 0 {
			c.programs[home(p)].Main(p)
		}
	}}, ""},
	{"a run fails in one process", clusterFlaws{afterwards: func(c *cluster) { c.errors[0] = errors.New("out of order") }}, "process 0: out of order"},
	{"there is no report", clusterFlaws{afterwards: func(c *cluster) { c.reports[last] = nil }}, "there is no report"},
	{"a report has fewer ranks", clusterFlaws{afterwards: func(c *cluster) { c.reports[last].Ranks = c.reports[last].Ranks[1:] }}, "the report has"},
	{"reports differ", clusterFlaws{afterwards: func(c *cluster) {
		other := *c.reports[last]
		other.Ranks = slices.Clone(other.Ranks)
		other.Ranks[0].Outcome = report.Deadlocked - other.Ranks[0].Outcome
		c.reports[0] = &other
	}}, "process 2 has a report of"},
}

// All claims are checked on what processes share, so none may overlook that this is not what ranks have observed. Of those about exact times one
// has a rank in the first process that need not even begin.
func TestEveryCaseFindsWhatIsWrongAmongProcesses(t *testing.T) {
	for first, vice := range clusterVices {
		t.Run(vice.name, func(t *testing.T) {
			for i, claim := range proctest.Cases() {
				if claim.Exact || i%len(clusterVices) != first && !thorough.All() {
					continue
				}
				found := (&cluster{run: flaws{}.run, flaws: vice.flaws}).check(t, claim, hardlyLate)
				require.ErrorContains(t, requireSame(t, claim.Name, found), vice.found, claim.Name)
			}
		})
	}
}

// What becomes of a single rank is found by those cases, too, that do not look at what it has observed.
func TestCasesFindASingleRankThatDoesNotRunOnceInOneProcess(t *testing.T) {
	withoutTheLast := clusterFlaws{main: func(c *cluster, p protocols.Proc) {
		if p.Rank() < p.Size()-1 {
			c.programs[home(p)].Main(p)
		}
	}}
	again := clusterFlaws{main: func(c *cluster, p protocols.Proc) {
		c.programs[home(p)].Main(p)
		if p.Rank() == 0 {
			c.programs[home(p)].Main(p)
		}
	}}
	cases := casesByName(t)
	for _, test := range []struct {
		claim string
		flaws clusterFlaws
		found string
	}{
		{"every rank knows its number and how many there are", again, "the program of rank 0 returned 2 times, want once"},
		{"each fault happens at its point, and nowhere else", withoutTheLast, "returned 0 times, want once"},
		{"a slow-down replaces those before it, whether the clock or the program brings it about", withoutTheLast, "returned 0 times, want once"},
		// All that the last process has is a rank that begins and fails, and one that has failed before.
		{listSuspects, clusterFlaws{shared: func(all [][]byte) ([][]byte, error) { return append(all, all[last]), nil }}, "rank 5 ran in process 2 and in process 3"},
	} {
		found := (&cluster{run: flaws{}.run, flaws: test.flaws}).check(t, cases[test.claim], nil)
		require.ErrorContains(t, requireSame(t, test.claim, found), test.found, test.claim)
	}
}

// Processes that are not in the same run know nothing of each other's.
func TestSuiteFindsProcessesThatComeApart(t *testing.T) {
	var before []byte
	err := casesByName(t)["nothing is left over from an earlier run"].Check(proctest.Machine{Run: flaws{}.run,
		Share: func(own []byte) ([][]byte, error) {
			all := [][]byte{own}
			if before != nil {
				all = [][]byte{before}
			}
			before = slices.Clone(own)
			return all, nil
		}})
	require.ErrorContains(t, err, `processes have come apart: it is in "run 1 of attempt 1 on P=2,L=2,o=1: nothing is left over from an earlier run", and this one in "run 2 of attempt 1`)
}

// Observations of several runs at once would get mixed up.
func TestSharedRunsGoOnOneAtATime(t *testing.T) {
	runs := 0
	m := counted(&runs)
	m.Share, m.AtOnce = alone, 2
	for _, c := range proctest.Cases() {
		require.ErrorContains(t, c.Check(m), "AtOnce is 2, and with Share it must be 1 or 0", c.Name)
	}
	require.Zero(t, runs)
}
