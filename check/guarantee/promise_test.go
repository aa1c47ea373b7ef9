package guarantee_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/protocols"
)

// is is a premise that is met, or not for that reason.
func is(says, unmet string) guarantee.Premise {
	return guarantee.Premise{Says: says, Unmet: func(guarantee.Run) string { return unmet }}
}

// saysOf lists premises as a table has them.
func saysOf(premises []guarantee.Premise) (all []string) {
	for _, p := range premises {
		all = append(all, p.Says)
	}
	return all
}

func TestNothingIsClaimedOutsideOfThePremises(t *testing.T) {
	met, other := is("it is day", ""), is("it is dry", "")
	night, rain := is("it is day", "it is night"), is("it is dry", "it rains")
	for name, c := range map[string]struct {
		premises []guarantee.Premise
		value    guarantee.Value
		evidence string
	}{
		"none":             {nil, broken, "so says b"},
		"met":              {[]guarantee.Premise{met}, broken, "so says b"},
		"both met":         {[]guarantee.Premise{met, other}, broken, "so says b"},
		"unmet":            {[]guarantee.Premise{night}, unclaimed, "it is day (it is night)"},
		"the second unmet": {[]guarantee.Premise{met, rain}, unclaimed, "it is dry (it rains)"},
		"both unmet":       {[]guarantee.Premise{rain, night}, unclaimed, "it is dry (it rains)"},
	} {
		t.Run(name, func(t *testing.T) {
			requireVerdict(t, traced(), guarantee.Promise{Guarantee: says("b", broken), Premises: c.premises}, c.value, c.evidence)
			var nested guarantee.Guarantee = says("b", broken)
			for i := range c.premises {
				nested = guarantee.When(c.premises[len(c.premises)-1-i], nested)
			}
			requireVerdict(t, traced(), nested, c.value, c.evidence)
		})
	}
}

// What is said outermost is looked at first, and said first.
func TestWhenPutsItsPremiseFirst(t *testing.T) {
	inner := guarantee.Promise{
		Guarantee: says("b", held),
		Premises:  []guarantee.Premise{is("c", ""), is("d", "")},
		Stands:    []guarantee.Premise{is("e", "")},
		Safety:    true,
	}
	outer := guarantee.When(is("a", ""), guarantee.When(is("b", ""), inner))
	require.Equal(t, []string{"a", "b", "c", "d"}, saysOf(outer.Premises))
	require.Equal(t, []string{"e"}, saysOf(outer.Stands))
	require.True(t, outer.IsSafety())
	require.Equal(t, "b", outer.Name())
	require.True(t, guarantee.When(is("a", ""), guarantee.Integrity{}).NeedsEvents())
}

// Promises are values: whoever adds a premise leaves the promise as it was, also where there is room in the slice.
func TestWhenLeavesItsArgumentAsItWas(t *testing.T) {
	room := append(make([]guarantee.Premise, 0, 9), is("c", ""), is("d", ""))
	inner := guarantee.Promise{Guarantee: says("b", held), Premises: room}
	first, second := guarantee.When(is("a", ""), inner), guarantee.When(is("b", ""), inner)
	require.Equal(t, []string{"c", "d"}, saysOf(inner.Premises))
	require.Equal(t, []string{"c", "d", ""}, saysOf(room[:3]))
	require.Equal(t, []string{"a", "c", "d"}, saysOf(first.Premises))
	require.Equal(t, []string{"b", "c", "d"}, saysOf(second.Premises))

	guarantee.Safety(inner)
	require.False(t, inner.IsSafety())
}

func TestGuaranteesKnowWhetherTheyAreAboutSafety(t *testing.T) {
	for _, c := range []struct {
		g      guarantee.Guarantee
		safety bool
	}{
		{guarantee.NoDeadlock{}, true},
		{guarantee.Termination{}, true},
		{guarantee.Termination{By: 9}, true},
		{guarantee.Integrity{}, true},
		{guarantee.OnlyColouredRanksSend{}, true},
		{guarantee.NoDuplicates{}, true},
		{guarantee.SentOnce{}, true},
		{guarantee.ReachedRanksReturn{}, true},
		{guarantee.When(guarantee.RootsLive, guarantee.NoDeadlock{}), true},
		{guarantee.Safety(says("a", held)), true},
		{guarantee.When(guarantee.RootsLive, guarantee.Safety(says("a", held))), true},
		{guarantee.ReachesEveryLiveRank{}, false},
		{guarantee.NonfaultyLiveness(guarantee.Strong), false},
		{says("a", held), false},
		{guarantee.When(guarantee.RootsLive, says("a", held)), false},
		{guarantee.All("all", guarantee.NoDeadlock{}), false},
	} {
		require.Equal(t, c.safety, guarantee.PromiseOf(c.g).IsSafety(), c.g.Name())
		run := traced(send(0, 0, 1, 0))
		require.Equal(t, c.safety, guarantee.Check(run, c.g)[0].Safety, c.g.Name())
	}
}

// A protocol that does nothing keeps what is about safety, and achieves nothing.
func TestWhoDoesNothingKeepsWhatIsSafe(t *testing.T) {
	idle := run(t, 4, fromRoot(func(protocols.Proc) {}), "none")
	for _, g := range []guarantee.Guarantee{
		guarantee.NoDeadlock{}, guarantee.Termination{}, guarantee.Integrity{}, guarantee.OnlyColouredRanksSend{},
		guarantee.NoDuplicates{}, guarantee.SentOnce{}, guarantee.ReachedRanksReturn{},
	} {
		require.NotEqual(t, broken, g.Check(idle).Value, g.Name())
	}
	for _, g := range []guarantee.Guarantee{guarantee.ReachesEveryLiveRank{}, guarantee.NonfaultyLiveness(guarantee.Strong)} {
		require.Equal(t, broken, g.Check(idle).Value, g.Name())
	}
}

// A guarantee of one's own needs no premises, and a promise is what it is.
func TestEveryGuaranteeIsAPromise(t *testing.T) {
	plain := guarantee.PromiseOf(guarantee.Termination{By: 9})
	require.Equal(t, guarantee.Promise{Guarantee: guarantee.Termination{By: 9}}, plain)
	require.Equal(t, plain, guarantee.PromiseOf(plain))
	require.Equal(t, "termination by t=9", plain.Name())
}

// Runs beyond what an algorithm stands are judged: what is broken says that it was beyond, what held does not.
func TestRunsBeyondWhatAnAlgorithmStandsAreJudged(t *testing.T) {
	stands, beyond := is("nobody fails", ""), is("nobody fails", "rank 2 did")
	for name, c := range map[string]struct {
		value            guarantee.Value
		premises, stands []guarantee.Premise
		want             guarantee.Verdict
	}{
		"broken within":        {broken, nil, []guarantee.Premise{stands}, guarantee.Verdict{Evidence: "so says b"}},
		"broken beyond":        {broken, nil, []guarantee.Premise{beyond}, guarantee.Verdict{Evidence: "so says b", Beyond: "nobody fails (rank 2 did)"}},
		"the first of two":     {broken, nil, []guarantee.Premise{stands, beyond, is("dry", "rain")}, guarantee.Verdict{Evidence: "so says b", Beyond: "nobody fails (rank 2 did)"}},
		"held beyond":          {held, nil, []guarantee.Premise{beyond}, guarantee.Verdict{Value: held, Evidence: "so says b"}},
		"nothing to look at":   {unclaimed, nil, []guarantee.Premise{beyond}, guarantee.Verdict{Value: unclaimed, Evidence: "so says b"}},
		"outside of a premise": {broken, []guarantee.Premise{is("dry", "rain")}, []guarantee.Premise{beyond}, guarantee.Verdict{Value: unclaimed, Evidence: "dry (rain)"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.want.Name = "b"
			p := guarantee.Promise{Guarantee: says("b", c.value), Premises: c.premises, Stands: c.stands}
			require.Equal(t, c.want, p.Check(traced()))
			require.Equal(t, c.want, guarantee.Promise{Guarantee: p}.Check(traced()), "as part of another promise")
		})
	}
}

// A plain tree stands no failure. It is judged all the same, and a premise would have it claim nothing.
func TestAPlainTreeIsBrokenBeyondWhatItStands(t *testing.T) {
	none := []guarantee.Premise{guarantee.NobodyFails}
	judged := guarantee.Promise{Guarantee: guarantee.ReachesEveryLiveRank{}, Stands: none}
	excused := guarantee.Promise{Guarantee: guarantee.ReachesEveryLiveRank{}, Premises: none}
	inner, leaf := run(t, 8, plainTree(8), "crash:1@t2"), run(t, 8, plainTree(8), "crash:7")

	v := judged.Check(inner)
	require.Equal(t, broken, v.Value)
	require.Equal(t, "broken: reaches every live rank: ranks 3, 5 and 7 never reached; beyond what is claimed: nobody fails (rank 1 crashed at t=2)", v.String())
	requireVerdict(t, leaf, judged, held, "all 7 live ranks reached")
	requireVerdict(t, inner, excused, unclaimed, "nobody fails (rank 1 crashed at t=2)")
	requireVerdict(t, leaf, excused, unclaimed, "nobody fails (rank 7 crashed at t=0)")
}

// In words every premise comes once, and what an algorithm stands is what the premises do not say already.
func TestTermsSayEveryPremiseOnce(t *testing.T) {
	root, dry, warm := is("the root lives", ""), is("dry", "rain"), is("warm", "snow")
	p := guarantee.Promise{
		Guarantee: says("b", held), Premises: []guarantee.Premise{root, dry, root}, Stands: []guarantee.Premise{warm, root, warm},
	}
	premises, stands := p.Terms()
	require.Equal(t, []string{"the root lives", "dry"}, premises)
	require.Equal(t, []string{"warm"}, stands)
	premises, stands = guarantee.PromiseOf(guarantee.Integrity{}).Terms()
	require.Empty(t, premises)
	require.Empty(t, stands)
}

// Whoever adds premises to a promise about safety has one about safety still.
func TestAPromiseAboutAPromiseIsOneOnTheTermsOfBoth(t *testing.T) {
	root, dry, warm := is("the root lives", ""), is("dry", "rain"), is("warm", "snow")
	inner := guarantee.Promise{Guarantee: says("b", broken), Premises: []guarantee.Premise{root}, Stands: []guarantee.Premise{warm}}
	outer := guarantee.Promise{Guarantee: guarantee.Safety(inner), Premises: []guarantee.Premise{dry}, Stands: []guarantee.Premise{dry}}
	whole := guarantee.PromiseOf(guarantee.Promise{Guarantee: outer})
	require.True(t, whole.IsSafety())
	require.Equal(t, "b", whole.Name())
	require.Len(t, whole.Premises, 2)
	require.Len(t, whole.Stands, 2)
	require.Equal(t, []guarantee.Verdict{{Name: "b", Value: unclaimed, Evidence: "dry (rain)", Safety: true}}, guarantee.Check(traced(), outer))
	outer.Premises = nil
	require.Equal(t, []guarantee.Verdict{{Name: "b", Evidence: "so says b", Beyond: "warm (snow)", Safety: true}}, guarantee.Check(traced(), outer))
}
