package guarantee_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
)

// One that is broken breaks the whole. That nothing bad has happened counts only where nothing else is promised.
func TestOverallIsWhatWasAchieved(t *testing.T) {
	values := []guarantee.Value{broken, held, unclaimed}
	for _, purpose := range values {
		for _, safety := range values {
			want := purpose
			if safety == broken {
				want = broken
			}
			a, b := guarantee.Verdict{Value: purpose}, guarantee.Verdict{Value: safety, Safety: true}
			require.Equal(t, want, guarantee.Overall([]guarantee.Verdict{a, b}), "purpose %v, safety %v", purpose, safety)
			require.Equal(t, want, guarantee.Overall([]guarantee.Verdict{b, a}), "safety %v, purpose %v", safety, purpose)
		}
	}
	for _, isSafety := range []bool{false, true} {
		for _, first := range values {
			for _, second := range values {
				both := []guarantee.Verdict{{Value: first, Safety: isSafety}, {Value: second, Safety: isSafety}}
				require.Equal(t, min(first, second), guarantee.Overall(both), "%v and %v, all safety: %t", first, second, isSafety)
			}
			require.Equal(t, first, guarantee.Overall([]guarantee.Verdict{{Value: first, Safety: isSafety}}))
		}
	}
	require.Equal(t, unclaimed, guarantee.Overall(nil), "nothing was promised")
	for _, isSafety := range []bool{false, true} {
		late := guarantee.Verdict{Value: tooLate, Safety: isSafety}
		for other, want := range map[guarantee.Value]guarantee.Value{held: tooLate, unclaimed: tooLate, tooLate: tooLate, broken: broken} {
			require.Equal(t, want, guarantee.Overall([]guarantee.Verdict{late, {Value: other}}), "too late and %v", other)
			require.Equal(t, want, guarantee.Overall([]guarantee.Verdict{{Value: other}, late}), "%v and too late", other)
		}
	}
}

func TestUnclaimedSaysWhyNothingWasAchieved(t *testing.T) {
	const isSafety = true
	verdict := func(value guarantee.Value, evidence string, safety bool) guarantee.Verdict {
		return guarantee.Verdict{Value: value, Evidence: evidence, Safety: safety}
	}
	for name, c := range map[string]struct {
		verdicts []guarantee.Verdict
		want     string
	}{
		"nothing":                       {nil, ""},
		"all was claimed":               {[]guarantee.Verdict{verdict(held, "a", false), verdict(broken, "b", isSafety)}, ""},
		"the first of two":              {[]guarantee.Verdict{verdict(held, "a", false), verdict(unclaimed, "b", false), verdict(unclaimed, "c", false)}, "b"},
		"a purpose comes before safety": {[]guarantee.Verdict{verdict(unclaimed, "a", isSafety), verdict(unclaimed, "b", false)}, "b"},
		"only safety":                   {[]guarantee.Verdict{verdict(held, "a", isSafety), verdict(unclaimed, "b", isSafety), verdict(unclaimed, "c", isSafety)}, "b"},
	} {
		require.Equal(t, c.want, guarantee.Unclaimed(c.verdicts), name)
	}
}

func TestValuesAreReadAsTheyAreWritten(t *testing.T) {
	for want, value := range map[string]guarantee.Value{"broken": broken, "held": held, "not claimed": unclaimed, "too late": tooLate} {
		require.Equal(t, want, value.String())
		written, err := json.Marshal(value)
		require.NoError(t, err)
		require.Equal(t, `"`+want+`"`, string(written))
		read := guarantee.Value(77)
		require.NoError(t, json.Unmarshal(written, &read))
		require.Equal(t, value, read)
	}
	for _, text := range []string{"", "Held", "not_claimed", "true", "held "} {
		value := held
		require.EqualError(t, value.UnmarshalText([]byte(text)), `guarantee: verdict "`+text+`", want broken, held, not claimed or too late`)
		require.Equal(t, held, value, "as it was")
	}
	require.Equal(t, held, guarantee.ValueOf(true))
	require.Equal(t, broken, guarantee.ValueOf(false))
	require.Equal(t, broken, guarantee.Verdict{}.Value, "what nobody has filled in is no good news")
}

func TestVerdictsInJSONSayAlsoWhetherTheyHeld(t *testing.T) {
	for want, verdict := range map[string]guarantee.Verdict{
		`{"name":"a","verdict":"held","evidence":"so","held":true}`:                                             {Name: "a", Value: held, Evidence: "so"},
		`{"name":"a","verdict":"broken","evidence":"so","held":false}`:                                          {Name: "a", Evidence: "so"},
		`{"name":"a","verdict":"not claimed","evidence":"so","held":false}`:                                     {Name: "a", Value: unclaimed, Evidence: "so"},
		`{"name":"a","verdict":"broken","evidence":"so","beyond":"that","safety":true,"held":false}`:            {Name: "a", Evidence: "so", Beyond: "that", Safety: true},
		`{"name":"a","verdict":"held","evidence":"\"quoted\" and <em>","safety":true,"held":true}`:              {Name: "a", Value: held, Evidence: `"quoted" and <em>`, Safety: true},
		`{"name":"no deadlock","verdict":"held","evidence":"no rank waits for ever","safety":true,"held":true}`: guarantee.Check(exits(5), guarantee.NoDeadlock{})[0],
	} {
		text, err := json.Marshal(verdict)
		require.NoError(t, err)
		require.JSONEq(t, want, string(text))
		var read guarantee.Verdict
		require.NoError(t, json.Unmarshal(text, &read))
		require.Equal(t, verdict, read)
	}
	var read guarantee.Verdict
	require.NoError(t, json.Unmarshal([]byte(`{"name":"a","held":false,"evidence":"so"}`), &read), "of an earlier version")
	require.Equal(t, guarantee.Verdict{Name: "a", Evidence: "so"}, read)
	require.ErrorContains(t, json.Unmarshal([]byte(`{"name":"a","verdict":"kept"}`), &read), `verdict "kept"`)
}

func TestVerdictsInWords(t *testing.T) {
	v := guarantee.Verdict{Name: "no deadlock", Evidence: "rank 3 waiting for ever"}
	require.Equal(t, "broken: no deadlock: rank 3 waiting for ever", v.String())
	require.Equal(t, "rank 3 waiting for ever", v.Why())
	v.Beyond = "nobody fails (rank 2 crashed at t=0)"
	require.Equal(t, "broken: no deadlock: rank 3 waiting for ever; beyond what is claimed: nobody fails (rank 2 crashed at t=0)", v.String())
	require.Equal(t, "rank 3 waiting for ever; beyond what is claimed: nobody fails (rank 2 crashed at t=0)", v.Why())
	require.Equal(t, "not claimed: a: it rains", guarantee.Verdict{Name: "a", Value: unclaimed, Evidence: "it rains"}.String())
}

// Whoever has looked at nothing has found nothing wrong, which is no good news either.
func TestNothingIsClaimedOfWhatNobodyLookedAt(t *testing.T) {
	nobodyLeft := exits(clock.Never, clock.Never)
	for name, c := range map[string]struct {
		run      guarantee.Run
		g        guarantee.Guarantee
		evidence string
	}{
		"no arrivals":        {traced(), guarantee.Integrity{}, "all 0 messages that arrived were sent before"},
		"no sends":           {traced(), guarantee.OnlyColouredRanksSend{}, "0 sends, all by roots or coloured ranks"},
		"no deliveries":      {traced(), guarantee.NoDuplicates{}, "step coloured 0 times, on no rank more than once"},
		"no different sends": {traced(), guarantee.SentOnce{}, "0 sends, all different"},
		"nobody to reach":    {nobodyLeft, guarantee.ReachesEveryLiveRank{}, "no rank is left"},
		"nobody to return":   {nobodyLeft, guarantee.Termination{}, "all 0 live ranks returned, the last at t=0"},
		"nobody reached":     {nobodyLeft, guarantee.ReachedRanksReturn{}, "none of 0 waits for ever"},
	} {
		t.Run(name, func(t *testing.T) { requireVerdict(t, c.run, c.g, unclaimed, c.evidence) })
	}
}
