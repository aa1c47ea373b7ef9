package paper

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

func TestEveryCampaignIsValidInEverySize(t *testing.T) {
	names, read := make(map[string]bool), make(map[string]bool)
	for _, e := range All() {
		require.NotEmpty(t, e.About, e.Name)
		require.Equal(t, e.measure == nil, len(e.Campaigns) > 0, e.Name)
		require.False(t, names[e.Name], "%s is there twice", e.Name)
		names[e.Name] = true
		for _, name := range e.Campaigns {
			if read[name] {
				continue // several experiments share it
			}
			read[name] = true
			var jobs []int
			for _, size := range []campaign.Size{campaign.Quick, campaign.Usual, campaign.Full} {
				c, err := readCampaign(name, size)
				require.NoError(t, err)
				require.Equal(t, name, c.Name)
				jobs = append(jobs, c.Jobs())
			}
			require.IsNonDecreasing(t, jobs, name)
		}
	}
	_, err := Find("trees-fig99")
	require.ErrorContains(t, err, `paper "trees-fig99": want trees-fig1b, trees-fig6`)
	_, err = readCampaign("nothing", campaign.Usual)
	require.ErrorContains(t, err, `there is no campaign "nothing"`)
}

func TestEveryFileIsUsed(t *testing.T) {
	used := make(map[string]bool)
	for _, e := range All() {
		for _, name := range e.Campaigns {
			used[name+".toml"] = true
		}
	}
	entries, err := os.ReadDir("campaigns")
	require.NoError(t, err)
	for _, entry := range entries {
		require.True(t, used[entry.Name()], entry.Name())
	}
}

func TestExperimentsAreChosenByName(t *testing.T) {
	all, err := Choose([]string{"all"})
	require.NoError(t, err)
	require.Len(t, all, len(Names()))
	two, err := Choose([]string{"trees-fig8", "gossip-table", "trees-fig8"})
	require.NoError(t, err)
	require.Len(t, two, 2, "each once")
	for want, names := range map[string][]string{
		"paper: no name, want all or some of: trees-fig1b": nil,
		"paper: all and other names, want one of the two":  {"trees-fig8", "all"},
		`paper "none": want trees-fig1b`:                   {"none"},
	} {
		_, err := Choose(names)
		require.ErrorContains(t, err, want)
	}
}
