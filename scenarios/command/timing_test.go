package command

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Delays, losses and duplicates are explored like failures, by words and by flags.
func TestExploreTriesWhatHappensToMessages(t *testing.T) {
	words := mangrove("explore", "broadcast", "P=4", "delays<=1")
	assert.Equal(t, 0, words.status, words.stderr)
	assert.Contains(t, words.stdout, "broadcast P=4 delays<=1\n\nfailures     none\ncovered      18 cases of up to 1 delay: who takes what")
	assert.Equal(t, words.stdout, mangrove("explore", "broadcast", "P=4", "--max-delays", "1").stdout)

	both := mangrove("explore", "multitree", "P=4", "faults<=1", "losses<=1", "duplicates<=2", "--json")
	assert.Contains(t, both.stdout, `"faults":1,"losses":1,"duplicates":2,`)

	lost := mangrove("explore", "broadcast", "P=4", "correction=none", "losses<=1")
	assert.Contains(t, lost.stdout, "of up to 1 loss: ")
	assert.Equal(t, 0, mangrove("explore", "broadcast", "P=4", "delays<=1", "--max-late", "3").status)
	assert.Contains(t, mangrove("explore", "broadcast", "P=4", "delays<=1", "--max-late", "3").stdout, "delays       up to 3 ticks\n")
}

func TestExploreRepeatsForSeeds(t *testing.T) {
	got := mangrove("explore", "gossip", "P=6", "variant=gos", "T=4", "--seeds", "3")
	assert.Contains(t, got.stdout, "seeds        3, from that of the line on\n")
	assert.Contains(t, mangrove("explore", "gossip", "P=6", "variant=gos", "T=4", "seed=5", "--seeds", "30").stdout, " seed=")
}

func TestExploreRunsAllOrders(t *testing.T) {
	got := mangrove("explore", "big", "P=4", "--orders")
	assert.Equal(t, 0, got.status, got.stderr)
	assert.Regexp(t, `covered      \d+ orders in which messages can be delivered\n`, got.stdout)
	state := filepath.Join(t.TempDir(), "state")
	assert.Equal(t, 0, mangrove("explore", "big", "P=4", "--orders", "--state", state).status)
	assert.Equal(t, got.stdout, mangrove("explore", "big", "P=4", "--orders", "--state", state).stdout)
	assert.Contains(t, mangrove("explore", "big", "P=4", "--state", state).stderr, "is of another exploration")
}

func TestSearchesOfTimingThatMakeNoSenseAreRefused(t *testing.T) {
	for want, args := range map[string][]string{
		`"delays<=0": want delays<= and a number from 1 to 999`:       {"delays<=0"},
		`"delays<5": want delays<= and a number from 1 to 999`:        {"delays<5"},
		`"losses<=2": losses<= is set twice`:                          {"losses<=1", "losses<=2"},
		`both delays<=1 and --max-delays 2, want one of them`:         {"delays<=1", "--max-delays", "2"},
		`--orders: any number of messages is late, and nobody fails`:  {"--orders", "faults<=1"},
		`--orders: want none of --every, --seeds, --rejoin, --cut, -`: {"--orders", "--every"},
		`--orders: rank 0 decides by time at t=0; want a protocol th`: {"--orders"},
		`--max-late 0: want a whole number from 1 to`:                 {"delays<=1", "--max-late", "0"},
		`--seeds 0: want a whole number from 1 to 1000000`:            {"--seeds", "0"},
	} {
		got := mangrove(append([]string{"explore", "broadcast", "P=4"}, args...)...)
		assert.Equal(t, 2, got.status, args)
		assert.Contains(t, got.stderr, want)
	}
	assert.Contains(t, mangrove("run", "broadcast", "P=4", "delays<=1").stderr, `"delays<=1": `)
}

// A seed on the line stays, and the report says so.
func TestFuzzSaysWhetherSeedsVary(t *testing.T) {
	assert.Contains(t, mangrove("fuzz", "big", "P=4", "--runs", "10").stdout, "each has a seed= of its own\n")
	assert.Contains(t, mangrove("fuzz", "big", "P=4", "seed=4", "--runs", "10").stdout, "all have the seed= of the line\n")
}

// The second example of what one seed hides: a gap in gossip that most seeds leave.
func TestFuzzFindsWhatOtherSeedsShow(t *testing.T) {
	got := mangrove("fuzz", "gossip", "P=64", "variant=ocg", "T=18", "C=4", "--max-faults", "1", "--runs", "1000")
	assert.Equal(t, 1, got.status)
	assert.Regexp(t, `mangrove run gossip P=\d+ variant=ocg T=18 C=4 (seed=\d+ )?(faults=\S+)?\n`, got.stdout)
}
