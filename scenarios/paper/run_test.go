package paper

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

// Verdicts on fewer runs than usual say so.
func TestVerdictsOnFewRunsSaySo(t *testing.T) {
	evaluate := func(all []measured) (*Result, error) {
		return &Result{Foot: "T is a time", Claims: []Claim{{What: "x", Holds: all[0].Campaign != nil}}}, nil
	}
	e := Experiment{Name: "few", Campaigns: []string{"gossip-fig3"}, evaluate: evaluate}
	c, err := readCampaign("gossip-fig3", campaign.Usual)
	require.NoError(t, err)
	folder := t.TempDir()
	few, err := e.Run(context.Background(), Options{Folder: folder, Runs: 1})
	require.NoError(t, err)
	require.Equal(t, "T is a time\nFewer runs than usual, so what differs, or not, may be chance: 1 instead of "+thousands(c.Runs)+" a point in gossip-fig3", few.Foot)
	for _, size := range []campaign.Size{campaign.Usual, campaign.Full} {
		p, err := Options{Folder: folder, Size: size}.plan("gossip-fig3", size.Suffix())
		require.NoError(t, err)
		require.Empty(t, fewer([]*plannedCampaign{p}), size)
	}
	p, err := Options{Folder: folder, Size: campaign.Quick}.plan("gossip-fig3", campaign.Quick.Suffix())
	require.NoError(t, err)
	require.Contains(t, fewer([]*plannedCampaign{p}), "may be chance")
}

// What has been run is not run again, also by another experiment.
func TestResultsAreKept(t *testing.T) {
	dir := t.TempDir()
	runs := 0
	o := Options{Folder: filepath.Join(dir, "new"), Runs: 1, Progress: func(*campaign.Campaign, int, int) { runs++ }}
	e, err := Find("gossip-fig3")
	require.NoError(t, err)
	first, err := e.Run(context.Background(), o)
	require.NoError(t, err)
	once := runs
	require.NotZero(t, once)
	again, err := e.Run(context.Background(), o)
	require.NoError(t, err)
	require.Equal(t, once, runs)
	require.Equal(t, first.Text(), again.Text())
	o.Seed = 5 // another file, and other runs
	other, err := e.Run(context.Background(), o)
	require.NoError(t, err)
	require.Equal(t, 2*once, runs)
	require.NotEqual(t, first.Text(), other.Text())
	require.Equal(t, "-1-seed5", o.Suffix(e))
}

func TestTheSeedIsThatOfTheCampaignUnlessItIsSaid(t *testing.T) {
	c, err := readCampaign("gossip-fig3", campaign.Quick)
	require.NoError(t, err)
	require.NotZero(t, c.Seed)
	for seed, want := range map[uint64]uint64{0: c.Seed, 5: 5} {
		p, err := Options{Folder: t.TempDir(), Seed: seed, Size: campaign.Quick}.plan("gossip-fig3", "")
		require.NoError(t, err)
		require.Equal(t, want, p.Seed)
	}
}

// Of all campaigns of an experiment, before the first begins.
func TestTheTimeIsToldFirst(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	left := map[string]int{}
	o := Options{
		Folder: t.TempDir(), Runs: worthTelling,
		Expect: func(c *campaign.Campaign, runs int, took time.Duration) {
			left[c.Name] = runs
			require.Positive(t, took)
		},
		Progress: func(*campaign.Campaign, int, int) {
			require.Len(t, left, 2)
			cancel()
		},
	}
	e := Experiment{Name: "both", Campaigns: []string{"gossip-fig3", "gossip-fig1"}}
	_, err := e.Run(ctx, o)
	require.ErrorIs(t, err, context.Canceled)
	for _, name := range e.Campaigns {
		c, err := readCampaign(name, campaign.Usual)
		require.NoError(t, err)
		require.Equal(t, c.Points()*worthTelling, left[name])
	}
}

// Where chance has no part, more runs would be the same.
func TestRunsAreAsManyAsTheUserSays(t *testing.T) {
	for name, want := range map[string]int{"gossip-fig3": 7, "gossip-fig1-tree": 1, "collective-size": 1} {
		o := Options{Folder: t.TempDir(), Runs: 7}
		p, err := o.plan(name, "-7")
		require.NoError(t, err)
		require.Equal(t, want, p.Runs, name)
		require.Equal(t, filepath.Join(o.Folder, name+"-7.ndjson"), p.file)
		for _, size := range []campaign.Size{campaign.Quick, campaign.Usual, campaign.Full} {
			p, err := Options{Folder: o.Folder, Size: size}.plan(name, "")
			require.NoError(t, err)
			c, err := readCampaign(name, size)
			require.NoError(t, err)
			require.Equal(t, c.Runs, p.Runs, name)
		}
	}
}

func TestFilesOfOtherOptionsHaveOtherNames(t *testing.T) {
	chance, none := Experiment{evaluate: scalingFigure}, Experiment{measure: queryFigure}
	for want, o := range map[string]Options{
		"":             {},
		"-quick":       {Size: campaign.Quick},
		"-full":        {Size: campaign.Full},
		"-1":           {Size: campaign.Quick, Runs: 1},
		"-30-seed9":    {Runs: 30, Seed: 9},
		"-quick-seed1": {Size: campaign.Quick, Seed: 1},
	} {
		require.Equal(t, want, o.Suffix(chance))
		require.Empty(t, o.Suffix(none))
	}
	sized, err := Find("tpch-q3")
	require.NoError(t, err)
	require.Equal(t, "-full", Options{Size: campaign.Full, Seed: 9}.Suffix(sized))
	require.Empty(t, Options{Size: campaign.Quick, Seed: 9}.Suffix(sized))
}
