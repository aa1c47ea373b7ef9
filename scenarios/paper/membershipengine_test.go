package paper

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// clusters stand for machines on which view changes take as long as they say, in microseconds.
type clusters struct {
	t    *testing.T
	took func(j Job, line string) float64
}

// run calibrates, or runs a line.
func (f clusters) run(_ context.Context, j Job) ([]byte, error) {
	command, words := j.Words[0], j.Words[1:]
	if j.Alone { // a launcher must be told how many there are
		require.Equal(f.t, []string{"-n", fmt.Sprint(j.Processes)}, words[len(words)-2:])
		words = words[:len(words)-2]
	}
	if command == "calibrate" {
		require.Equal(f.t, []string{"--times", "3", "--out"}, words[:3])
		return nil, os.WriteFile(words[3], []byte("tick = \"1ns\"\nL = 40_000\no = 5_000\nnetwork = \"switch:10000\"\n[measured]\ndelivery = 60000.0\n"), 0o644)
	}
	require.Equal(f.t, map[bool]string{true: "launch", false: "join"}[j.Alone], command)
	require.Equal(f.t, []string{"--pace", "free", "--json"}, words[:3])
	line := strings.Join(words[3:], " ")
	run, err := catalog.ParseLine(line)
	require.NoError(f.t, err)
	require.Equal(f.t, j.Processes, run.Config().Ranks, "a rank in each process")
	return fmt.Appendf(nil, `{"tick_ns":2,"verdict":"held","figures":[{"name":"view","text":"0-2"},{"name":"T_s","text":"some","ticks":%g},{"name":"base","ticks":1}]}`, 500*f.took(j, line)), nil
}

// clustersResult is that of such machines, on the sizes of a quick run.
func clustersResult(t *testing.T, took func(overTCP bool, a, ranks string) float64) *Result {
	t.Helper()
	f := clusters{t, func(j Job, line string) float64 {
		words := strings.Fields(line)
		return took(j.Alone, words[1], words[2])
	}}
	r, err := clusterFigure(t.Context(), Options{Size: campaign.Quick, Job: f.run})
	require.NoError(t, err)
	return r
}

func TestViewChangesOnProcesses(t *testing.T) {
	levels := map[string]float64{"a=2 P=3": 1, "a=2 P=5": 2, "a=2 P=7": 2, "a=4 P=5": 1, "a=4 P=7": 2}
	times := 0.
	asModelled := func(overTCP bool, a, ranks string) float64 {
		times++
		latency := 200 + times // it is the median that counts
		if overTCP {
			latency *= 1.5
		}
		return latency * levels[a+" "+ranks]
	}
	r := clustersResult(t, asModelled)
	require.Len(t, r.Table.Rows, 2*(3+2), "two transports, three sizes with two children, and two with four")
	require.NotContains(t, holds(r), false)
	require.Equal(t, []any{"TCP", 2, 3, 2}, r.Table.Rows[0][:4])
	row := r.Table.Rows[0]
	require.Equal(t, []any{1.5 * 211, 1.5 * 201, 1.5 * 221}, row[4:7], "median, lowest and highest of three turns")
	require.Equal(t, 120., row[7], "a message there and one back")
	require.Equal(t, row[4], row[8], "the latency under contention is that of a parent and its children")
	require.InDelta(t, 2*row[4].(float64), r.Table.Rows[2][8], 0.1, "two levels more")
	require.Equal(t, 240., r.Table.Rows[2][7])
	emulated, err := catalog.MeasureStabilization(t.Context(), "membership a=2 P=7 members=6 join=6@t20000000 inquire=none timeout=10s until=200ms tick=1ns L=40000 o=5000 network=switch:10000")
	require.NoError(t, err)
	require.Equal(t, float64(emulated.Measured)/1000, r.Table.Rows[2][9])
	require.NoError(t, r.Save(t.TempDir(), "membership-mpi"))

	for name, wrong := range map[string]struct {
		took  func(overTCP bool, a, ranks string) float64
		fails []int
	}{
		"as fast as the base model": {func(_ bool, a, ranks string) float64 { return 120 * levels[a+" "+ranks] }, []int{0, 3, 6}},
		"as long for all heights":   {func(bool, string, string) float64 { return 500 }, []int{2, 5, 6}},
		"MPI takes longer":          {func(overTCP bool, a, ranks string) float64 { return asModelled(!overTCP, a, ranks) }, []int{6}},
		"many ranks take much longer": {func(overTCP bool, a, ranks string) float64 {
			return asModelled(overTCP, a, ranks) * map[string]float64{"P=3": 1, "P=5": 1, "P=7": 3}[ranks]
		}, []int{1, 4}},
	} {
		times = 1000 // so large that turns hardly differ
		got := holds(clustersResult(t, wrong.took))
		for i := range got {
			if slices.Contains(wrong.fails, i) {
				require.False(t, got[i], "%s: claim %d", name, i)
			}
		}
	}
}

func TestTreesAreCompleteWithAllRanksThatTheirHeightAllows(t *testing.T) {
	found := make(map[int][]int)
	for _, children := range []int{2, 4} {
		for ranks := 1; ranks < 40; ranks++ {
			if complete(ranks, children) {
				found[children] = append(found[children], ranks)
			}
		}
	}
	require.Equal(t, map[int][]int{2: {1, 3, 7, 15, 31}, 4: {1, 5, 21}}, found)
	require.Contains(t, Options{}.sizesOfClusters(), 15)
	require.Contains(t, Options{Size: campaign.Full}.sizesOfClusters(), 21)
}

func TestViewChangesThatWereNotMeasured(t *testing.T) {
	_, err := readStabilization([]byte(`{"figures":[{"name":"T_s","text":"no view change was completed"}]}`))
	require.ErrorContains(t, err, "no view change was completed")
	_, err = readStabilization([]byte(`{`))
	require.ErrorContains(t, err, "what a job has printed")
	_, err = readStabilization([]byte(`{"tick_ns":1000,"verdict":"broken","figures":[{"name":"T_s","ticks":7}]}`))
	require.ErrorContains(t, err, "a promise was broken")
	took, err := readStabilization([]byte(`{"tick_ns":1000,"figures":[{"name":"T_s","ticks":7}]}`))
	require.NoError(t, err)
	require.Equal(t, 7., took)
}

// One that was not over in time is measured again, but not for ever.
func TestViewChangesThatTakeTooLongAreMeasuredAgain(t *testing.T) {
	f := clusters{t, func(j Job, line string) float64 { return 300 }}
	for _, tt := range []struct {
		bad  int
		fine bool
	}{{2, true}, {3, false}} {
		asked := 0
		_, err := clusterFigure(t.Context(), Options{Size: campaign.Quick, Job: func(ctx context.Context, j Job) ([]byte, error) {
			text, err := f.run(ctx, j)
			if j.Words[0] != "calibrate" {
				if asked++; asked <= tt.bad {
					return []byte(`{"verdict":"too late"}`), nil
				}
			}
			return text, err
		}})
		require.Equal(t, tt.fine, err == nil, "%v", err)
	}
}
