package emu

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/faults"
)

// ordinary is what an ordinary protocol on so many ranks needs.
func ordinary(ranks int) Need { return Config{LogP: clock.LogP{Ranks: ranks}}.Need(nil) }

var gigabyte = []Limit{{ID: "a", Name: "host a", Bytes: 1e9}}

func TestWhatDoesNotFitIntoMemoryIsRefused(t *testing.T) {
	require.NoError(t, ordinary(303_030).Check(gigabyte, nil))
	require.EqualError(t, ordinary(303_031).Check(gigabyte, nil), "not enough memory for P=303031: about 1.0 GB, and host a has 1.0 GB left; want P=303030 or less")
	require.EqualError(t, ordinary(1<<24).Check(gigabyte, nil), "not enough memory for P=16777216: about 55.4 GB, and host a has 1.0 GB left; want P=303030 or less")
	require.EqualError(t, ordinary(300_000).Times(5).Check(gigabyte, nil), "not enough memory for P=300000: about 5.0 GB, and host a has 1.0 GB left; want P=60606 or less")
	require.EqualError(t, ordinary(clock.MaxRanks).Check([]Limit{{Name: "host a", Bytes: 3299}}, nil),
		"not enough memory for P=2147483647: about 7086.7 GB, and host a has 0.0 GB left; not even P=1 fits")
	require.EqualError(t, Config{LogP: clock.LogP{Ranks: 1 << 24}}.Need(faults.MustParse("crash:~16000000")).Check(gigabyte, nil),
		"not enough memory for P=16777216: about 121.0 GB, and host a has 1.0 GB left; not even P=1 fits with so many faults")
	require.NoError(t, ordinary(1<<24).Check(nil, nil), "nothing is known")
}

// A container may have less than its host.
func TestTheLeastOfAllLimitsCounts(t *testing.T) {
	container := Limit{ID: "a b", Name: "cgroup /b of host a", Bytes: 33_000}
	for _, limits := range [][]Limit{{gigabyte[0], container}, {container, gigabyte[0]}} {
		require.NoError(t, ordinary(10).Check(limits, nil))
		require.EqualError(t, ordinary(11).Check(limits, nil), "not enough memory for P=11: about 0.0 GB, and cgroup /b of host a has 0.0 GB left; want P=10 or less")
	}
}

func TestFaultsEventsAndDetectorsTakeMemory(t *testing.T) {
	c := Config{LogP: clock.LogP{Ranks: 1000}}
	count := func(text string) Need { return c.Need(faults.MustParse(text)) }
	require.Equal(t, Need{Ranks: 1000, PerRank: usualBytesPerRank, Fixed: 2 * faultBytes, Shared: 2 * faultyBytes}, count("crash:3,slow:4x2"))
	require.Equal(t, Need{Ranks: 1000, PerRank: usualBytesPerRank, Fixed: 70 * faultBytes, Shared: 70 * faultyBytes}, count("crash:~70"))
	require.Equal(t, Need{Ranks: 1000, PerRank: usualBytesPerRank + faultyBytes/4, Everywhere: faultBytes / 4}, count("hang:25%"))
	require.Equal(t, Need{Ranks: 1000, PerRank: usualBytesPerRank, Fixed: 2 * faultBytes, Everywhere: 2 * sideBytes}, count("cut:0-3|*@t4,cut:~9|*@t4"))
	c.Detection = Detection{Delay: 4}
	require.EqualValues(t, watcherBytes, c.Need(nil).Everywhere)
	c.Trace = TraceEvents
	require.EqualValues(t, usualBytesPerRank+eventBytesPerRank, c.Need(nil).PerRank)
	require.EqualValues(t, eventBytesPerRank+resultBytes, c.Need(nil).First)
	n := count("crash:~70,hang:25%").Times(3)
	require.Equal(t, [4]float64{3 * (usualBytesPerRank + eventBytesPerRank + faultyBytes/4), 3 * (watcherBytes + faultBytes/4), 3 * 70 * faultBytes, 3 * 70 * faultyBytes},
		[4]float64{float64(n.PerRank), n.Everywhere, float64(n.Fixed), float64(n.Shared)})
}

// checkTogether has processes check what they need, each with its own limits, and returns what all of them are told.
func checkTogether(t require.TestingT, n Need, limits ...[]Limit) error {
	errs := make([]error, len(limits))
	parts.Together(context.Background(), len(limits), func(part parts.Mail) error {
		errs[part.Index()] = n.Check(limits[part.Index()], part)
		return nil
	})
	for i := range errs {
		require.Equal(t, fmt.Sprint(errs[0]), fmt.Sprint(errs[i]), "process %d", i)
	}
	return errs[0]
}

// Two processes on host a share its memory; the one on host b has that for itself.
func TestProcessesOnOneHostShareItsMemory(t *testing.T) {
	a := []Limit{{ID: "a", Name: "host a", Bytes: 6_600_000}}
	b := []Limit{{ID: "b", Name: "host b", Bytes: 4_000_000}}
	require.NoError(t, checkTogether(t, ordinary(3000), a, b, a))
	require.EqualError(t, checkTogether(t, ordinary(3001), a, b, a),
		"not enough memory for P=3001: about 0.0 GB for 2 of 3 processes, and host a has 0.0 GB left; want P=3000 or less, as all processes have equally many ranks")
	require.NoError(t, checkTogether(t, ordinary(3000), a, b, nil), "of the third one nothing is known")

	// They do not look at the same instant.
	later := []Limit{{ID: "a", Name: "host a", Bytes: 3_300_000}}
	require.ErrorContains(t, checkTogether(t, ordinary(3000), a, b, later), "want P=1500 or less")
	require.ErrorContains(t, checkTogether(t, ordinary(3000), later, b, a), "want P=1500 or less")
}

// Two containers have limits of their own, and a host in common.
func TestContainersOnOneHostShareItsMemory(t *testing.T) {
	host := Limit{ID: "a", Name: "host a", Bytes: 33_000}
	in := func(name string, bytes int64) []Limit {
		return []Limit{host, {ID: name, Name: "cgroup " + name, Bytes: bytes}}
	}
	require.NoError(t, checkTogether(t, ordinary(10), in("/x", 20_000), in("/y", 20_000)))
	require.ErrorContains(t, checkTogether(t, ordinary(11), in("/x", 20_000), in("/y", 20_000)), "for 2 of 2 processes, and host a has 0.0 GB left; want P=10 or less")
	require.ErrorContains(t, checkTogether(t, ordinary(10), in("/x", 20_000), in("/y", 3_300)), "for 1 of 2 processes, and cgroup /y has 0.0 GB left; want P=2 or less")
}

// The first process gets the events of all.
func TestTheFirstProcessNeedsMore(t *testing.T) {
	n := Need{Ranks: 100, PerRank: 10, First: 5, Fixed: 4, Shared: 6, Everywhere: 0.5}
	small := func(id string, bytes int64) []Limit { return []Limit{{ID: id, Name: "host " + id, Bytes: bytes}} }
	own := int64(10*50 + 7 + 50)
	require.NoError(t, checkTogether(t, n, small("a", own+500), small("b", own)))
	require.ErrorContains(t, checkTogether(t, n, small("a", own+499), small("b", own)), "host a has 0.0 GB left; want P=99 or less")
	require.ErrorContains(t, checkTogether(t, n, small("a", own+500), small("b", own-1)), "host b has 0.0 GB left; want P=98 or less")
	require.NoError(t, n.Check(small("a", 1000+4+6+50), nil), "one process has them anyway")
}

// What is said to fit does, and nothing larger does.
func TestTheLargestThatFitsIsTold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := Need{
			Ranks: clock.MaxRanks, PerRank: rapid.Int64Range(4000, 10_000).Draw(t, "per rank"), Everywhere: float64(rapid.IntRange(0, 300).Draw(t, "everywhere")) / 4,
			Fixed: rapid.Int64Range(0, 1e6).Draw(t, "fixed"), Shared: rapid.Int64Range(0, 1e6).Draw(t, "shared"), First: rapid.Int64Range(0, 5000).Draw(t, "first"),
		}
		hosts := make([]Limit, 3)
		for i := range hosts {
			hosts[i] = Limit{ID: fmt.Sprint(i), Name: fmt.Sprint("host ", i), Bytes: rapid.Int64Range(1e6, 1e12).Draw(t, "bytes")}
		}
		all := make([]claim, rapid.IntRange(1, 9).Draw(t, "processes"))
		for i := range all {
			all[i].Limits = []Limit{rapid.SampledFrom(hosts).Draw(t, "host")}
		}
		var most int
		err := n.fits(sharedLimits(all), len(all))
		if err == nil {
			return
		}
		_, text, told := strings.Cut(err.Error(), "want P=")
		if !told {
			n.Ranks = 1
			require.Error(t, n.fits(sharedLimits(all), len(all)))
			return
		}
		_, scanned := fmt.Sscan(text, &most)
		require.NoError(t, scanned)
		n.Ranks = most
		require.NoError(t, n.fits(sharedLimits(all), len(all)))
		n.Ranks = most + 1
		require.Error(t, n.fits(sharedLimits(all), len(all)))
	})
}

func TestAProcessCannotHaveAllRanks(t *testing.T) {
	plenty := []Limit{{ID: "a", Name: "host a", Bytes: math.MaxInt64}}
	require.NoError(t, ordinary(maxShare).Check(plenty, nil))
	require.EqualError(t, ordinary(maxShare+1).Check(plenty, nil), "P=268435457 ranks in 1 process: one process can have up to 268435456 of them; want 2 processes or more")
	require.EqualError(t, ordinary(clock.MaxRanks).Check(nil, nil), "P=2147483647 ranks in 1 process: one process can have up to 268435456 of them; want 8 processes or more")
	require.NoError(t, checkShare(clock.MaxRanks, 8))
	_, err := New(Config{LogP: clock.LogP{Ranks: clock.MaxRanks, Latency: 1, Overhead: 1}})
	require.EqualError(t, err, "emu: P=2147483647 ranks in 1 process: one process can have up to 268435456 of them; want 8 processes or more")
}
