package faults

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestCutsSwallowWhatLeavesFromTheirInstantOn(t *testing.T) {
	links := MustParse("cut:0|1-2@t5,cut:3|*@t7,crash:1").Links(5)
	for _, c := range []struct {
		from, to int
		since    clock.Time
	}{
		{0, 1, 5}, {1, 0, 5}, {0, 2, 5}, {2, 0, 5}, {1, 2, clock.Never}, {0, 4, clock.Never}, {0, 0, clock.Never},
		{0, 3, 7}, {3, 0, 7}, {4, 3, 7}, {3, 4, 7}, {1, 3, 7}, {3, 3, clock.Never},
	} {
		for left := range clock.Time(10) {
			assert.Equal(t, left >= c.since, links.Cut(c.from, c.to, left), "from %d to %d at t%d", c.from, c.to, left)
		}
	}
	require.Nil(t, MustParse("crash:1,late:0@send1+3").Links(5))
	require.False(t, MustParse("crash:1").Links(5).Cut(0, 1, 9))
}

// One direction may be cut and the other not; a mend undoes what was cut before, also a part of it; and of two at one
// instant the one that is listed later counts.
func TestLinksAreCutAndMended(t *testing.T) {
	for text, want := range map[string]string{ // whether 0>1, 1>0 and 2>0 are cut at t=4, t=5 and t=9
		"cut:0>1@t5":                                "... x.. x..",
		"cut:1>0@t5":                                "... .x. .x.",
		"cut:*>0@t5":                                "... .xx .xx",
		"cut:0>*@t5":                                "... x.. x..",
		"cut:1-2>0@t5":                              "... .xx .xx",
		"cut:0|*@t4,mend:0|1@t5":                    "xxx ..x ..x",
		"cut:0|*@t4,mend:1>0@t9":                    "xxx xxx x.x",
		"mend:0|*@t5,cut:0|*@t4,cut:2>0@t9":         "xxx ... ..x",
		"cut:0|*@t5,mend:0|*@t5":                    "... ... ...",
		"mend:0|*@t5,cut:0|*@t5":                    "... xxx xxx",
		"cut:0|*@t1,mend:0|*@t2,cut:0>*@t3,cut:2|*": "x.. x.. x..",
	} {
		links := MustParse(text).Links(3)
		got := ""
		for _, at := range []clock.Time{4, 5, 9} {
			for _, pair := range [][2]int{{0, 1}, {1, 0}, {2, 0}} {
				if links.Cut(pair[0], pair[1], at) {
					got += "x"
				} else {
					got += "."
				}
			}
			got += " "
		}
		require.Equal(t, want+" ", got, text)
	}
}

// What happens on links happens to all that leaves in time, and adds up.
func TestMessagesMeetTheirFateOnLinks(t *testing.T) {
	links := MustParse("late:0>1@t5..t8+3,late:0|*@t7+4,lose:1>0@t5..t6,twice:0>2@t6..t9+2,twice:0>2@t8+7,cut:2>1@t5").Links(3)
	meet := func(from, to int, left clock.Time) (fate Fate) {
		links.Meet(from, to, left, &fate)
		return fate
	}
	require.Zero(t, meet(0, 1, 4))
	require.Equal(t, Fate{Late: 3}, meet(0, 1, 5))
	require.Equal(t, Fate{Late: 7}, meet(0, 1, 7))
	require.Equal(t, Fate{Late: 4}, meet(0, 1, 8))
	require.Equal(t, Fate{Late: 4}, meet(1, 0, 99))
	require.Equal(t, Fate{Lost: true}, meet(1, 0, 5))
	require.Zero(t, meet(1, 0, 6))
	require.Zero(t, meet(1, 2, 9))
	require.Equal(t, Fate{Cut: true}, meet(2, 1, 9))
	require.Equal(t, Fate{Again: []clock.Time{2}}, meet(0, 2, 6))
	require.Equal(t, Fate{Late: 4, Again: []clock.Time{2, 7}}, meet(0, 2, 8))
	require.Equal(t, Fate{Late: 4, Again: []clock.Time{7}}, meet(0, 2, 9))
	var none *Links
	var fate Fate
	none.Meet(0, 1, 5, &fate)
	require.True(t, fate.Arrives())
	require.False(t, (&Fate{Cut: true}).Arrives())
	require.False(t, (&Fate{Lost: true}).Arrives())
}

// A message is known by the number of its send, over all lives, and a fault happens to one message only.
func TestMessagesMeetTheirFateBySendNumber(t *testing.T) {
	schedule := MustParse("late:4@send2+3,lose:4@send3,twice:4@send2+9,late:4@send2+5,crash:4@send3,late:1@send1+2")
	tracker := NewTracker(schedule, 4)
	message := func(left clock.Time) (fate Fate) {
		tracker.Message(left, &fate)
		return fate
	}
	require.Zero(t, message(1))
	tracker.Sent()
	require.Nil(t, tracker.Next(MidSend, "", 2), "the message is late, not its sender")
	require.Equal(t, Fate{Late: 8, Again: []clock.Time{9}}, message(2))
	require.Zero(t, message(2))
	tracker.Sent()
	require.Equal(t, Crash, tracker.Next(MidSend, "", 3).Kind)
	require.Equal(t, Fate{Lost: true}, message(4))
	require.Equal(t, []Happening{{0, 2}, {2, 2}, {3, 2}, {1, 4}}, tracker.History().Happened)
	unfired := schedule.AppendUnfired(nil, 9, func(rank int) *Tracker {
		if rank == 4 {
			return tracker
		}
		return NewTracker(schedule, rank)
	})
	require.Equal(t, "crash:4@send3,late:1@send1+2", unfired.String())
}

// However long, messages are late by no more than anything can take.
func TestDelaysDoNotOverflow(t *testing.T) {
	var fate Fate
	for range 3 {
		fate.add(&Fault{Kind: Late, Delay: clock.MaxCost})
	}
	require.Equal(t, clock.MaxCost, fate.Late)
}

func TestWhatHappensOnLinksByTheClock(t *testing.T) {
	schedule := MustParse("late:0>1@t5+3,lose:0>1@t10..t20,mend:0|1@t11,cut:0|1@t3")
	require.Equal(t, "mend:0|1@t11", schedule.AppendUnfired(nil, 10, nil).String())
}

// Nothing happens on links that nothing concerns.
func TestLinksThatNothingConcernsAreLeftAlone(t *testing.T) {
	var none *Links
	require.False(t, none.Concern(0, 1))
	for schedule, want := range map[string][]string{
		"cut:0>1@t5":                   {"0>1"},
		"late:0|2@t5+3":                {"0>2", "2>0"},
		"mend:1>2@t5,lose:2>0@t1..t2":  {"1>2", "2>0"},
		"twice:1>*@t0+4,crash:0@send1": {"1>0", "1>2"},
	} {
		links := MustParse(schedule).Links(3)
		var got []string
		for from := range 3 {
			for to := range 3 {
				if links.Concern(from, to) {
					got = append(got, fmt.Sprintf("%d>%d", from, to))
				}
			}
		}
		require.Equal(t, want, got, schedule)
	}
}
