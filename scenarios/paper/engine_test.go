package paper

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// jobs stand for an MPI library: they note what they are asked for, and say what it took.
type jobs struct {
	t     *testing.T
	lines []string
	took  func(j Job, line string) (ours, native float64) // in microseconds
}

func (f *jobs) run(ctx context.Context, j Job) ([]byte, error) {
	if j.Words[0] == "calibrate" || slices.ContainsFunc(j.Words, func(word string) bool { return word == "membership" }) {
		return clusters{f.t, func(j Job, line string) float64 { ours, _ := f.took(j, line); return ours }}.run(ctx, j)
	}
	require.Equal(f.t, "join", j.Words[0])
	require.False(f.t, j.Alone)
	end := slices.Index(j.Words, "native=same")
	line := strings.Join(j.Words[1:end], " ")
	require.Equal(f.t, []string{"native=same", "--turns", "3", "--json"}, j.Words[end:])
	run, err := catalog.ParseLine(line + " tick=1us")
	require.NoError(f.t, err)
	require.LessOrEqual(f.t, j.Processes, run.Config().Ranks)
	_, known := catalog.CounterpartOf(run)
	require.True(f.t, known, line)
	f.lines = append(f.lines, fmt.Sprintf("%d %v %s", j.Processes, j.Apart, line))
	ours, native := f.took(j, line)
	return fmt.Appendf(nil, `{"library":"None 1.0","verdict":"held","ours_ns":{"median":%g,"lower_quartile":%g,"upper_quartile":%g},"native_ns":{"median":%g,"lower_quartile":1,"upper_quartile":2},"ratio":[%g,1,2]}`,
		1000*ours, 900*ours, 1100*ours, 1000*native, ours/native), nil
}

// result runs an experiment by its name.
func (f *jobs) result(name string) *Result {
	f.t.Helper()
	e, err := Find(name)
	require.NoError(f.t, err)
	require.True(f.t, e.Engine)
	r, err := e.Run(f.t.Context(), Options{Size: campaign.Quick, Job: f.run})
	require.NoError(f.t, err)
	return r
}

// holds are the verdicts of all claims, in order.
func holds(r *Result) (all []bool) {
	for _, c := range r.Claims {
		all = append(all, c.Holds)
	}
	return all
}

func TestTheTreeBesideTheLibrarysOwn(t *testing.T) {
	f := &jobs{t: t, took: func(j Job, line string) (ours, native float64) {
		if strings.HasPrefix(line, "gossip") {
			return 30, 10
		}
		return 12, 10
	}}
	r := f.result("trees-fig11")
	require.Len(t, f.lines, 3*(2*3+2), "three ways on three sizes, with shared memory and apart, and on two sizes of many ranks")
	require.Contains(t, f.lines, "8 true broadcast correction=none repeat=20 period=5ms P=8")
	require.Equal(t, []string{"2 false broadcast", "2 false broadcast", "2 false gossip va", "2 true broadcast ", "2 true broadcast ", "2 true gossip var", "4 false broadcast"}, beginnings(f.lines[:7]), "what is compared is measured next to each other")
	require.Contains(t, f.lines, "2 false broadcast correction=none repeat=5 period=28800us P=576")
	require.Len(t, r.Table.Rows, len(f.lines))
	require.Equal(t, []any{2, 2, "shared", "binomial tree", 12., 10.8, 13.2, 10., 1.2, 1., 2., "held"}, r.Table.Rows[0])
	require.Equal(t, []bool{true, true}, holds(r))
	require.Contains(t, r.Text(), "MPI_Bcast is that of None 1.0")
	require.NoError(t, r.Save(t.TempDir(), "trees-fig11"))

	f = &jobs{t: t, took: func(j Job, line string) (ours, native float64) {
		if j.Apart && j.Processes == 4 {
			return 25, 10
		}
		return 10, 10
	}}
	require.Equal(t, []bool{false, false}, holds(f.result("trees-fig11")), "a tree that takes 2.5 times as long, and gossip that is not slower")
}

func beginnings(lines []string) (all []string) {
	for _, line := range lines {
		all = append(all, line[:17])
	}
	return all
}

// What nobody has got has taken no time, and shows nothing.
func TestBroadcastsThatReachTooFew(t *testing.T) {
	missed := func(ctx context.Context, j Job) ([]byte, error) {
		return []byte(`{"library":"None 1.0","verdict":"broken","ours_ns":null,"native_ns":{"median":1000},"ratio":[0,0,0]}`), nil
	}
	r, err := prototypeFigure(t.Context(), Options{Size: campaign.Quick, Job: missed})
	require.NoError(t, err)
	require.Equal(t, []bool{false, false}, holds(r))
	require.Nil(t, r.Table.Rows[0][4])
	require.Equal(t, "broken", r.Table.Rows[0][11])
	require.NoError(t, r.Save(t.TempDir(), "x"))
}

// Neither has what was broken, however fast it was.
func TestBrokenLinesShowNothing(t *testing.T) {
	for _, e := range All() {
		if !e.Engine || e.Name == "membership-mpi" {
			continue
		}
		r, err := e.Run(t.Context(), Options{Size: campaign.Quick, Job: func(context.Context, Job) ([]byte, error) {
			return []byte(`{"library":"None 1.0","verdict":"broken","ours_ns":{"median":1000},"native_ns":{"median":1000},"ratio":[1,1,1]}`), nil
		}})
		require.NoError(t, err)
		require.NotEmpty(t, r.Claims)
		require.NotContains(t, holds(r), true, e.Name)
		require.Contains(t, r.Text(), "broken", e.Name)
	}
}

func TestCorrectionsOnProcesses(t *testing.T) {
	times := map[string]float64{"none": 10, "d=1": 11, "d=2": 12, "faults": 12.5, "lame": 13}
	took := func(j Job, line string) (ours, native float64) {
		for _, word := range []string{"lame", "faults", "none", "d=1", "d=2"} {
			if strings.Contains(line, word) {
				return times[word], 10
			}
		}
		t.Errorf("%s: what is it?", line)
		return 0, 0
	}
	f := &jobs{t: t, took: took}
	r := f.result("trees-fig12")
	require.Equal(t, []bool{true, true, true, true}, holds(r))
	require.Contains(t, f.lines, "4 false broadcast start=overlapped correction=optimized direction=right d=2 repeat=20 period=5ms faults=crash:~1 P=4")
	require.NotContains(t, strings.Join(f.lines, "\n"), "crash:~1 P=2")
	for i, change := range []func(){
		func() { times["d=1"], times["d=2"], times["faults"], times["lame"] = 16, 16, 16, 16 },
		func() { times["d=1"], times["d=2"], times["faults"], times["lame"] = 12, 9, 9, 9 },
		func() { times["d=1"], times["d=2"], times["faults"], times["lame"] = 11, 12, 16, 13 },
		func() { times["faults"], times["lame"] = 12, 10 },
	} {
		change()
		got := holds((&jobs{t: t, took: took}).result("trees-fig12"))
		for k := range got {
			require.Equal(t, k != i, got[k], "claim %d after change %d", k, i)
		}
	}
}

func TestDownRanksHaveThePapersShare(t *testing.T) {
	require.Equal(t, 72, downOf(36_864))
	require.Equal(t, 1, downOf(4))
	require.Equal(t, []int{72, 576, 4608, 36_864}, Options{Size: campaign.Full}.manyRanks())
	require.Equal(t, []int{2, 4, 8, 16}, Options{}.processSizes())
	require.Equal(t, []int{0, 1, 2, 3, 16}, []int{levels(1), levels(2), levels(3), levels(8), levels(36_864)})
}

func TestOperationsBesideTheLibrarysOwn(t *testing.T) {
	tolerance, engine := 2., 5.
	took := func(j Job, line string) (ours, native float64) {
		if strings.Contains(line, "strategy=plain") {
			return engine * 10, 10
		}
		return tolerance * engine * 10, 10
	}
	f := &jobs{t: t, took: took}
	r := f.result("collectives-mpi")
	require.Len(t, f.lines, 2*3*5)
	require.Contains(t, f.lines, "4 false collective op=alltoall strategy=tolerant P=4")
	require.Equal(t, []any{"broadcast", 2, 10., 50., 100., 5., 10., 2., "held"}, r.Table.Rows[0])
	require.Equal(t, []bool{true, true, true, true, true, true}, holds(r))
	require.Equal(t, "10.00", r.Claims[0].Ours)
	require.NoError(t, r.Save(t.TempDir(), "collectives-mpi"))
	engine = 50
	require.Equal(t, []bool{false, true, false, false, false, true}, holds((&jobs{t: t, took: took}).result("collectives-mpi")))
	tolerance, engine = 20, 0.5
	require.Equal(t, []bool{true, false, true, true, true, false}, holds((&jobs{t: t, took: took}).result("collectives-mpi")))
}

func TestOperationsOfManyBytesBesideTheLibrarysOwn(t *testing.T) {
	short, long, blocks := 4., 1., 0.9
	took := func(j Job, line string) (ours, native float64) {
		switch {
		case strings.Contains(line, "alltoall"):
			return blocks * 1000, 1000
		case strings.Contains(line, "strategy=plain"):
			return 20, 10
		case strings.HasSuffix(line, "n=1"):
			return short * 20, 10
		}
		return long * 20, 10
	}
	f := &jobs{t: t, took: took}
	r := f.result("collectives-mpi-size")
	require.Len(t, f.lines, 2*(3+3), "three sizes, and three numbers of processes")
	require.Contains(t, f.lines, "4 false collective op=broadcast strategy=tolerant P=4 n=131072")
	require.Contains(t, f.lines, "8 false collective op=alltoall strategy=plain P=8 n=65536")
	require.Equal(t, []any{"broadcast", 4, 8, 10., 20., 80., 2., 8., 4., "held"}, r.Table.Rows[0])
	require.Equal(t, []bool{true, true, true, true}, holds(r))
	require.NoError(t, r.Save(t.TempDir(), "collectives-mpi-size"))
	for i, change := range []func(){
		func() { short, long, blocks = 1.4, 0.9, 0.9 },
		func() { short, long = 4, 1.3 },
		func() { short, long = 1.6, 1.2 },
		func() { short, long, blocks = 4, 1, 1.1 },
	} {
		change()
		got := holds((&jobs{t: t, took: took}).result("collectives-mpi-size"))
		for k := range got {
			require.Equal(t, k != i, got[k], "claim %d after change %d", k, i)
		}
	}
}

func TestExperimentsWithoutALibrary(t *testing.T) {
	for _, e := range All() {
		if e.Engine {
			_, err := e.Run(t.Context(), Options{Size: campaign.Quick})
			require.ErrorIs(t, err, ErrNoEngine)
			_, err = e.Run(t.Context(), Options{Size: campaign.Quick, Job: func(context.Context, Job) ([]byte, error) { return nil, errors.New("no network") }})
			require.ErrorContains(t, err, ": no network", e.Name)
			if e.Name == "membership-mpi" { // which begins with something else
				require.ErrorContains(t, err, "calibrating TCP: no network")
			} else {
				require.Regexp(t, `P=\d.* on \d processes: no network`, err.Error(), e.Name)
			}
			_, err = e.Run(t.Context(), Options{Size: campaign.Quick, Job: func(context.Context, Job) ([]byte, error) { return []byte("{}"), nil }})
			require.ErrorContains(t, err, "a job has measured nothing")
			_, err = e.Run(t.Context(), Options{Size: campaign.Quick, Job: func(context.Context, Job) ([]byte, error) { return []byte("oh"), nil }})
			require.ErrorContains(t, err, "what a job has printed")
		}
	}
	e, err := Find("trees-fig11")
	require.NoError(t, err)
	require.Equal(t, "-quick", Options{Size: campaign.Quick}.Suffix(e))
	require.Equal(t, "-7", Options{Runs: 7}.Suffix(e))
}
