package calibration

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

func TestSizesAreEvenlySpaced(t *testing.T) {
	require.Equal(t, []int{1, 2}, SizesUpTo(2))
	require.Equal(t, []int{1, 2, 3, 4, 5}, SizesUpTo(5))
	require.Equal(t, []int{1, 9, 17, 25, 33, 41, 49, 57, 65}, SizesUpTo(65))
	sizes := SizesUpTo(1 << 20)
	require.Len(t, sizes, 9)
	require.Equal(t, 1, sizes[0])
	require.Equal(t, 1<<20, sizes[8])
}

// Rows of sends grow until they are as long as they may be.
func TestBurstsGrow(t *testing.T) {
	for longest, want := range map[int][]int{2: {2}, 3: {2, 3}, 4: {2, 4}, 5: {2, 4, 5}, 32: {2, 4, 8, 16, 32}, 33: {2, 4, 8, 16, 32, 33}} {
		o := Options{Burst: longest}
		for i := range 3 * len(want) {
			require.Equal(t, want[i%len(want)], o.burst(i), longest)
		}
	}
	o := Options{Burst: MaxCount}
	require.Equal(t, MaxCount, o.burst(19))
	require.Equal(t, 2, o.burst(20))
}

func TestNewListsAllThatIsWrong(t *testing.T) {
	for _, o := range []Options{Usual(), few()} {
		_, err := New(o)
		require.NoError(t, err)
	}
	_, err := New(Options{Warmup: -1, Burst: 1, Bursts: 1 << 21, Sizes: []int{0, 9, 9, 1 << 25}})
	require.EqualError(t, err, "calibration: warmup = -1, want 0 to 1048576; rounds = 0, want 1 to 1048576; "+
		"messages in a burst = 1, want 2 to 1048576; bursts = 2097152, want 1 to 1048576; trips of each size = 0, want 1 to 1048576; "+
		"size of a payload in bytes = 0, want 1 to 16777216; a size of 9 bytes after one of 9, want a larger one; "+
		"size of a payload in bytes = 33554432, want 1 to 16777216")
	_, err = New(Options{Rounds: 1, Burst: 2, Bursts: 1, Trips: 1, Sizes: []int{5}})
	require.EqualError(t, err, "calibration: number of sizes = 1, want 2 to 1048576")
}

// Samples come from elsewhere, too: what this calibration cannot have measured is refused.
func TestCheckRefusesWhatCannotHaveBeenMeasured(t *testing.T) {
	c, err := New(few())
	require.NoError(t, err)
	for says, spoil := range map[string]func(*Samples){
		"":                        func(*Samples) {},
		"4 round trips":           func(s *Samples) { s.RoundTrips = append(s.RoundTrips, 1) },
		"-1 ticks in round trips": func(s *Samples) { s.RoundTrips[0] = -1 },
		"-1 ticks in sends":       func(s *Samples) { s.Sends[1] = -1 },
		"a send of -5 ticks":      func(s *Samples) { s.Delays[2].Send = -5 },
		"computation of -6":       func(s *Samples) { s.Delays[0].Busy = -6 },
		"or -7 without":           func(s *Samples) { s.Delays[1].Idle = -7 },
		"3 receives and 1 late":   func(s *Samples) { s.Late = 1 },
		"3 receives and -1 late":  func(s *Samples) { s.Late = -1 },
		"3 bursts":                func(s *Samples) { s.Bursts = append(s.Bursts, s.Bursts[0]) },
		"a burst of 1 messages":   func(s *Samples) { s.Bursts[0].Messages = 1 },
		"a burst of 2 messages":   func(s *Samples) { s.Bursts[1].Messages = 2 },
		"received in -1":          func(s *Samples) { s.Bursts[1].Received = -1 },
		"10 sizes":                func(s *Samples) { s.Sizes = append(s.Sizes, s.Sizes[0]) },
		"a size of 1 bytes":       func(s *Samples) { s.Sizes[1].Bytes = 1 },
		"3 trips of a size":       func(s *Samples) { s.Sizes[1].Trips = append(s.Sizes[1].Trips, 7) },
	} {
		s := made(clock.LogP{Ranks: 2, Latency: 1, Overhead: 1}, few(), func() clock.Time { return 0 })
		spoil(s)
		if says == "" {
			require.NoError(t, c.Check(s))
			continue
		}
		require.ErrorContains(t, c.Check(s), says)
	}
	require.NoError(t, c.Check(&Samples{}))
}

func TestEveryKindHasAName(t *testing.T) {
	names := make(map[string]bool)
	for kind := ping; kind <= done; kind++ {
		names[kindName(kind)] = true
	}
	require.Len(t, names, 5)
	require.False(t, names[""])
	require.Empty(t, kindName(mailbox.Kind(0)))
}
