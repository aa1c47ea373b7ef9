package paper

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

// With up to 1,024 ranks, and with up to 4,096, figures 7a and 7b have what the paper says, but for the work of FCG, and GOS, which
// is not slower than FCG on small machines.
func TestScalingOfCorrectedGossip(t *testing.T) {
	runs := max(3, thorough.Times(15)) // fewer do not show it
	free := upTo(t, moderate(), "gossip-fig7a", runs)
	require.Len(t, free.Table.Rows, 2*7)
	for what, holds := range verdicts(free) {
		differs := what == "FCG: work in % of BIG's" || what == "GOS is slower than OCG, CCG and FCG, with any number of ranks"
		assert.Equal(t, !differs, holds, what)
	}
	faulty := upTo(t, moderate(), "gossip-fig7b", runs)
	require.Len(t, faulty.Table.Rows, 2*6)
	for what, holds := range verdicts(faulty) {
		assert.Equal(t, what != "FCG: work in % of that without failures", holds, what)
	}
}

// onRanks changes an algorithm on so many ranks, in one campaign.
func onRanks(name, algorithm string, ranks int, change func(point)) filling {
	return func(campaign string, p point) {
		if campaign == name && p.algorithm() == algorithm && p.ranks() == ranks {
			change(p)
		}
	}
}

func took(x float64) func(point) { return func(p point) { *p.latency() = just(x) } }

func sent(aRank float64) func(point) {
	return func(p point) { p.Messages = just(aRank * float64(p.ranks())) }
}

// scales is what figures 7a and 7b are in the paper: FCG is faster than BIG, which takes L+o = 3 ticks longer
// than printed, with 512 ranks or more.
func scales(_ string, p point) {
	levels := float64(bits.Len(uint(p.ranks())) - 1)
	latency := map[string]float64{
		"OCG": 3 * levels, "CCG": 3*levels + 1, "FCG": 2*levels + 26, "GOS": 100, "BIG": 5*levels + 3, "BFB": 8 * levels, "opt": 2 * levels,
	}
	took(latency[p.algorithm()])(p)
	sent(map[string]float64{"FCG": 4, "BIG": 10}[p.algorithm()])(p)
}

func TestVerdictsOnScalingWithoutFailures(t *testing.T) {
	const gossip, trees = "gossip-fig7a", "gossip-fig7a-trees"
	const (
		first = "no other is faster than OCG, with any number of ranks"
		worst = "GOS is slower than OCG, CCG and FCG, with any number of ranks"
		bound = "the optimal tree is faster than OCG, with any number of ranks"
		big   = "FCG ends before BIG has sent its last message, with"
		work  = "FCG: work in % of BIG's"
	)
	requireVerdicts(t, gossip, scales, []spoiled{
		{onRanks(gossip, "CCG", 64, took(18)), nil}, // as fast
		{onRanks(gossip, "CCG", 64, took(17)), []string{first}},
		{onRanks(gossip, "FCG", 16384, took(41)), []string{first}},
		{onRanks(gossip, "GOS", 1024, took(29)), []string{first, worst}},
		{onRanks(trees, "BIG", 64, took(17)), []string{first}},
		{onRanks(trees, "BFB", 4096, took(35)), []string{first}},
		{onRanks(gossip, "GOS", 64, took(38)), []string{worst}}, // no slower than FCG
		{onRanks(gossip, "CCG", 16384, took(100)), []string{worst}},
		{onRanks(trees, "opt", 64, took(18)), []string{bound}}, // no faster
		{onRanks(trees, "opt", 16384, took(42)), []string{bound}},
		{onRanks(gossip, "FCG", 256, took(40)), nil},
		{onRanks(gossip, "FCG", 256, took(39)), []string{big}},
		{onRanks(gossip, "FCG", 512, took(45)), []string{big}},
		{onRanks(gossip, "FCG", 16384, took(70)), []string{big}},
		{onRanks(gossip, "FCG", 64, sent(4.9)), nil},
		{onRanks(gossip, "FCG", 64, sent(5)), []string{work}},
		{onRanks(gossip, "FCG", 16384, sent(8)), []string{work}},
	})
}

func TestVerdictsOnScalingWithFailures(t *testing.T) {
	const gossip, trees = "gossip-fig7b", "gossip-fig7b-trees"
	const (
		first   = "OCG is faster than GOS with any number of ranks"
		big     = "FCG ends before BIG has sent its last message, with"
		reached = "OCG reaches of the live ranks, %"
		missed  = "runs of CCG, FCG, BIG and BFB that miss somebody"
		work    = "FCG: work in % of that without failures"
	)
	miss := func(p point) { p.Missed, p.Complete = just(1), never }
	requireVerdicts(t, gossip, scales, []spoiled{
		{onRanks(gossip, "OCG", 64, took(100)), []string{first}},
		{onRanks(gossip, "GOS", 16384, took(42)), []string{first}},
		{onRanks(gossip, "FCG", 256, took(39)), []string{big}},
		{onRanks(gossip, "FCG", 512, took(45)), []string{big}},
		{onRanks(gossip, "OCG", 16384, miss), []string{reached}},
		{onRanks(gossip, "OCG", 64, miss), []string{reached}},
		{onRanks(gossip, "GOS", 64, miss), nil}, // it promises nothing
		{onRanks(gossip, "CCG", 64, miss), []string{missed}},
		{onRanks(gossip, "FCG", 128, miss), []string{missed}},
		{onRanks(trees, "BIG", 1024, miss), []string{missed}},
		{onRanks(trees, "BFB", 16384, miss), []string{missed}},
		{onRanks(gossip, "FCG", 64, sent(4.7)), nil},
		{onRanks(gossip, "FCG", 64, sent(4.9)), []string{work}},
		{onRanks(gossip, "FCG", 16384, sent(3.1)), []string{work}},
		{onRanks("gossip-fig7a", "FCG", 1024, sent(10)), []string{work}},
	})
}

// Latency and work have a cell that tells them apart.
func TestQuantitiesHaveAColumn(t *testing.T) {
	r := madeUp(t, "gossip-fig7a", scales)
	require.Equal(t, Column{Name: "quantity", Left: true}, r.Table.Columns[1])
	algorithms := []string{"OCG", "CCG", "FCG", "GOS", "BIG", "BFB", "opt"}
	require.Len(t, r.Table.Rows, 2*len(algorithms))
	for i, row := range r.Table.Rows {
		require.Equal(t, algorithms[i%len(algorithms)], row[0])
		require.Equal(t, []string{"latency (ticks)", "messages a rank"}[i/len(algorithms)], row[1])
	}
	require.Equal(t, 38.0, cell(t, r, "64", "FCG", "latency (ticks)"))
	require.Equal(t, 4.0, cell(t, r, "64", "FCG", "messages a rank"))
	requireReadable(t, r)
}

// From the fewest ranks on, from somewhere in between, with the most only, or never.
func TestFasterFromSoManyRanksOn(t *testing.T) {
	groups := grouped(imagined(t, "gossip-fig7a", campaign.Quick).points, point.algorithm)
	a, b := named(groups, "FCG"), named(groups, "CCG")
	for from, p := range a.points {
		atOnce := func(x point) float64 { // as long as the other with fewer ranks
			if x.algorithm() == "FCG" && x.ranks() >= p.ranks() {
				return 1
			}
			return 2
		}
		require.Equal(t, p.ranks(), fasterFrom(a, b, atOnce), "from point %d on", from)
	}
	require.Zero(t, fasterFrom(a, b, func(point) float64 { return 1 }))
}
