package guarantee_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
)

// judged is what two promises came to in a run: a result, and that nobody waits.
func judged(result, waits guarantee.Value) []guarantee.Verdict {
	return []guarantee.Verdict{{Name: "result", Value: result}, {Name: "waits", Value: waits, Safety: true}}
}

// tallied counts the verdicts of runs.
func tallied(runs ...[]guarantee.Verdict) (t guarantee.Tally) {
	for _, verdicts := range runs {
		t.Add(verdicts)
	}
	return t
}

func TestTalliesCountWhatWasJudged(t *testing.T) {
	require.Equal(t, guarantee.Tally{Runs: 5, Counts: []guarantee.Count{
		{Name: "result", Judged: 3, Broken: 2},
		{Name: "waits", Judged: 2, Broken: 1, Safety: true},
	}}, tallied(judged(held, held), judged(broken, unclaimed), judged(unclaimed, broken), judged(broken, unclaimed), nil))
	require.Zero(t, tallied())
}

// Promises are told apart by their names, wherever they are in the list.
func TestTalliesKnowPromisesByTheirNames(t *testing.T) {
	a, b, c := guarantee.Verdict{Name: "a", Value: held}, guarantee.Verdict{Name: "b"}, guarantee.Verdict{Name: "c", Value: unclaimed}
	require.Equal(t, guarantee.Tally{Runs: 3, Counts: []guarantee.Count{
		{Name: "a", Judged: 2}, {Name: "b", Judged: 2, Broken: 2}, {Name: "c"},
	}}, tallied([]guarantee.Verdict{a, b}, []guarantee.Verdict{b}, []guarantee.Verdict{c, a}))
}

// However runs are shared out, they come to the same.
func TestMergedTalliesAreThoseOfAllRuns(t *testing.T) {
	runs := [][]guarantee.Verdict{judged(held, held), judged(broken, unclaimed), nil, judged(unclaimed, broken), {{Name: "other"}}}
	for cut := range len(runs) + 1 {
		sum, rest := tallied(runs[:cut]...), tallied(runs[cut:]...)
		before := tallied(runs[cut:]...)
		sum.Merge(rest)
		require.Equal(t, before, rest, "as it was")
		require.ElementsMatch(t, tallied(runs...).Counts, sum.Counts)
		require.EqualValues(t, len(runs), sum.Runs)
	}
}

// A promise that was broken once is broken, and one that was judged once and never broken held.
func TestATallyComesToWhatItsPromisesDo(t *testing.T) {
	for name, c := range map[string]struct {
		tally guarantee.Tally
		want  guarantee.Value
	}{
		"no runs":                       {tallied(), unclaimed},
		"runs without verdicts":         {tallied(nil, nil), unclaimed},
		"all held":                      {tallied(judged(held, held), judged(held, held)), held},
		"held once":                     {tallied(judged(unclaimed, held), judged(held, held), judged(unclaimed, held)), held},
		"broken once":                   {tallied(judged(held, held), judged(broken, held), judged(held, held)), broken},
		"never judged":                  {tallied(judged(unclaimed, held), judged(unclaimed, held)), unclaimed},
		"only safety was broken":        {tallied(judged(unclaimed, held), judged(unclaimed, broken)), broken},
		"only safety was promised":      {tallied(judged(held, held)[1:], judged(held, unclaimed)[1:]), held},
		"only safety, and never judged": {tallied(judged(held, unclaimed)[1:]), unclaimed},
	} {
		require.Equal(t, c.want, c.tally.Overall(), name)
	}
}

func TestWarningsAreAboutLessThanHalfOfTheRuns(t *testing.T) {
	yes, no := judged(held, held), judged(unclaimed, held)
	for name, c := range map[string]struct {
		tally guarantee.Tally
		want  string
	}{
		"no runs":        {tallied(), ""},
		"all":            {tallied(yes, yes), ""},
		"half":           {tallied(yes, no), ""},
		"more than half": {tallied(yes, no, yes), ""},
		"less than half": {tallied(no, yes, no), `judged in less than half of the runs: "result" in 1 of 3`},
		"never":          {tallied(no), `judged in less than half of the runs: "result" in 0 of 1`},
		"both":           {tallied(judged(unclaimed, unclaimed), yes, nil), `judged in less than half of the runs: "result" in 1 of 3, "waits" in 1 of 3`},
		"broken counts":  {tallied(judged(broken, broken)), ""},
	} {
		require.Equal(t, c.want, c.tally.Warning(), name)
	}
}

func TestTalliesInJSON(t *testing.T) {
	tally := tallied(judged(held, held), judged(broken, unclaimed))
	text, err := json.Marshal(tally)
	require.NoError(t, err)
	require.JSONEq(t, `{"runs":2,"promises":[{"name":"result","judged":2,"broken":1},{"name":"waits","judged":1,"broken":0,"safety":true}]}`, string(text))
	var read guarantee.Tally
	require.NoError(t, json.Unmarshal(text, &read))
	require.Equal(t, tally, read)
}
