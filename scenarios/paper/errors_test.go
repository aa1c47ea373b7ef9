package paper

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// tiny is a campaign of which nothing takes long.
func tiny(t *testing.T, o Options, runs int) *plannedCampaign {
	t.Helper()
	c, err := campaign.Parse(catalog.All(), "name = \"tiny\"\nruns = 1\nlines = [\"broadcast P=4\", \"gossip P=4\"]")
	require.NoError(t, err)
	c.Runs = runs
	return &plannedCampaign{c, filepath.Join(o.Folder, "tiny.ndjson"), runs}
}

// Whatever goes wrong is told as what it is, and not by what goes wrong next.
func TestErrorsArePassedOn(t *testing.T) {
	evaluate := func([]measured) (*Result, error) { return nil, errors.New("cannot be evaluated") }
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(file, []byte("text"), 0o644))
	foreign := filepath.Join(folder, "gossip-fig3-50.ndjson")
	require.NoError(t, os.WriteFile(foreign, []byte("{}\n"), 0o644))

	tree := Experiment{Campaigns: []string{"gossip-fig1-tree"}, evaluate: evaluate}
	for want, try := range map[string]func() (*Result, error){
		`there is no campaign "nothing"`: func() (*Result, error) {
			return Experiment{Campaigns: []string{"nothing"}, evaluate: evaluate}.Run(t.Context(), Options{Folder: folder})
		},
		"mkdir " + file:       func() (*Result, error) { return tree.Run(t.Context(), Options{Folder: filepath.Join(file, "new")}) },
		"cannot be evaluated": func() (*Result, error) { return tree.Run(t.Context(), Options{Folder: folder, Runs: 1}) },
		"is not a file of this campaign": func() (*Result, error) {
			return Experiment{Campaigns: []string{"gossip-fig3"}, evaluate: evaluate}.Run(t.Context(), Options{Folder: folder, Runs: 50})
		},
	} {
		r, err := try()
		require.ErrorContains(t, err, want)
		require.Nil(t, r, want)
	}
	told := func(*campaign.Campaign, int, time.Duration) { require.Fail(t, "nothing can be told") }
	begun := func(*campaign.Campaign, int, int) {
		require.Fail(t, "the second campaign cannot be run, so the first is not begun")
	}
	_, err := Experiment{Campaigns: []string{"gossip-fig1-tree", "gossip-fig3"}, evaluate: evaluate}.
		Run(t.Context(), Options{Folder: folder, Runs: 50, Expect: told, Progress: begun})
	require.ErrorContains(t, err, "is not a file of this campaign")
}

func TestTheFolderOfResultsCanBeUsedByItsOwner(t *testing.T) {
	o := Options{Folder: filepath.Join(t.TempDir(), "new", "folder")}
	_, err := o.plan("gossip-fig1-tree", "")
	require.NoError(t, err)
	info, err := os.Stat(o.Folder)
	require.NoError(t, err)
	require.EqualValues(t, 0o700, info.Mode().Perm()&0o700)
}

func TestWhatIsCancelledEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"membership-bgl", "tpch-q3", "gossip-fig1"} {
		e, err := Find(name)
		require.NoError(t, err)
		_, err = e.Run(ctx, Options{Folder: t.TempDir(), Runs: 1})
		require.ErrorIs(t, err, context.Canceled, name)
	}
}

func TestExperimentsMustFitIntoMemory(t *testing.T) {
	e := Experiment{Campaigns: []string{"gossip-fig1-tree"}}
	require.NoError(t, Options{Workers: 1}.CheckMemory(e))
	require.Error(t, Options{Workers: 1 << 40}.CheckMemory(e))
	e.Campaigns = append([]string{"nothing"}, e.Campaigns...)
	require.ErrorContains(t, Options{Workers: 1}.CheckMemory(e), `there is no campaign "nothing"`)
}

// Whoever removes a file of results while they are made gets none.
func TestResultsThatAreGoneAreAnError(t *testing.T) {
	o := Options{Folder: t.TempDir()}
	p := tiny(t, o, 1)
	o.Progress = func(_ *campaign.Campaign, done, of int) {
		if done == of {
			require.NoError(t, os.Remove(p.file))
		}
	}
	_, err := o.run(t.Context(), p)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// Only if there are some, and if it may take a while.
func TestTheTimeOfMissingRunsIsTold(t *testing.T) {
	told := []int{}
	o := Options{Folder: t.TempDir(), Expect: func(_ *campaign.Campaign, runs int, _ time.Duration) { told = append(told, runs) }}
	require.NoError(t, o.expect(t.Context(), tiny(t, o, worthTelling-1)))
	require.Empty(t, told)
	p := tiny(t, o, worthTelling)
	require.NoError(t, o.expect(t.Context(), p))
	require.Equal(t, []int{2 * worthTelling}, told)
	_, err := o.run(t.Context(), p)
	require.NoError(t, err)
	require.NoError(t, o.expect(t.Context(), p))
	require.Len(t, told, 1, "nothing is missing")
	o.Expect = nil
	require.NoError(t, o.expect(t.Context(), tiny(t, o, 3)))
}

// A point without a run, or too few points, cannot be evaluated.
func TestWhatIsMissingIsAnError(t *testing.T) {
	p := tiny(t, Options{}, 1)
	_, err := newMeasured(p.Campaign, []campaign.Summary{{Runs: 1}, {Runs: 0}})
	require.ErrorContains(t, err, "paper: tiny: no run of gossip P=4")
	p.Lines[1] = "gossip P=0"
	_, err = newMeasured(p.Campaign, []campaign.Summary{{Runs: 1}, {Runs: 1}})
	require.ErrorContains(t, err, "P=0")

	all := []measured{imagined(t, "gossip-table", campaign.Quick), imagined(t, "gossip-table-free", campaign.Quick)}
	_, err = caseStudyTable(all)
	require.NoError(t, err)
	all[0].points = all[0].points[1:]
	_, err = caseStudyTable(all)
	require.ErrorContains(t, err, "paper: 1 points of GOS with 0 ranks down, want 2")
}
