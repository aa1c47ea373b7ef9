package faults

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
)

// walk lets rank 0 do one thing after the other, two ticks each: S is a send, W a change of storage and Y a sync, whose middle is at
// half-time, R a receive, a dot nothing, ^ begins its next life and other letters are steps. A rank that has
// failed does nothing until its next life. It returns what happened and when.
func walk(t *Tracker, program string) (happened []string) {
	w := walker{Tracker: t}
	for _, action := range program {
		w.do(string(action))
		w.now += 2
	}
	return w.happened
}

type walker struct {
	*Tracker
	now      clock.Time
	failed   bool
	happened []string
}

func (w *walker) do(action string) {
	if action == "^" {
		w.Restart(w.now)
		w.failed = false
		w.happened = append(w.happened, fmt.Sprintf("life %d at t%d", w.Life(), w.now))
		return
	}
	switch action {
	case "S":
		w.operate(BeforeSend, w.Sent)
	case "W":
		w.operate(BeforeWrite, w.Wrote)
	case "Y":
		w.operate(BeforeSync, w.Synced)
	case "R":
		if !w.failed {
			w.Received()
		}
		w.pass(AtRecv, "", w.now)
	case ".":
	default:
		if !w.failed {
			w.Passed(action)
		}
		w.pass(AtStep, action, w.now)
	}
}

// operate has the three points of what takes time; the other two follow the first.
func (w *walker) operate(before Anchor, count func()) {
	w.pass(before, "", w.now)
	w.pass(before+1, "", w.now+1)
	if !w.failed {
		count()
	}
	w.pass(before+2, "", w.now+2)
}

// pass lets happen what does at a point.
func (w *walker) pass(at Anchor, step string, now clock.Time) {
	for s := w.Next(at, step, now); s != nil && !w.failed; s = w.Next(at, step, now) {
		w.Happens(s, now)
		w.failed = s.Kind.Stops()
		w.happened = append(w.happened, fmt.Sprintf("%s at t%d", s.Fault, now))
	}
}

func TestEachFaultHappensAtItsPointAndNowhereElse(t *testing.T) {
	for text, want := range map[string]string{
		"crash:0@before-send1":                       "crash:0@before-send1 at t4",
		"crash:0@send1":                              "crash:0@send1 at t5",
		"crash:0@after-send1":                        "crash:0@after-send1 at t6",
		"crash:0@before-send2":                       "crash:0@before-send2 at t8",
		"hang:0@send2":                               "hang:0@send2 at t9",
		"hang:0@after-send2":                         "hang:0@after-send2 at t10",
		"crash:0@recv1":                              "crash:0@recv1 at t0",
		"crash:0@recv2":                              "crash:0@recv2 at t10",
		"crash:0@step:a":                             "crash:0@step:a at t2",
		"crash:0@step:b":                             "crash:0@step:b at t6",
		"crash:0@step:a#2":                           "crash:0@step:a#2 at t12",
		"crash:0@send3":                              "",
		"crash:0@recv3":                              "",
		"crash:0@step:a#3":                           "",
		"crash:0@step:c":                             "",
		"crash:0@step:a#2,slow:0x2@step:b":           "slow:0x2@step:b at t6, crash:0@step:a#2 at t12",
		"slow:0x2@send1,slow:0x3@recv2":              "slow:0x2@send1 at t5, slow:0x3@recv2 at t10",
		"slow:0x3@recv2,slow:0x2@send1,hang:0@send2": "slow:0x2@send1 at t5, hang:0@send2 at t9",
	} {
		got := walk(NewTracker(MustParse(text), 0), "RaSbSRa")
		assert.Equal(t, want, strings.Join(got, ", "), text)
	}
}

func TestFaultsOfStorageHappenAtItsPointsAndNowhereElse(t *testing.T) {
	for text, want := range map[string]string{
		"crash:0@before-write1":         "crash:0@before-write1 at t0",
		"crash:0@write1":                "crash:0@write1 at t1",
		"hang:0@after-write1:kept1":     "hang:0@after-write1:kept1 at t2",
		"crash:0@before-sync1":          "crash:0@before-sync1 at t4",
		"crash:0@sync1":                 "crash:0@sync1 at t5",
		"crash:0@after-sync1":           "crash:0@after-sync1 at t6",
		"crash:0@before-write2":         "crash:0@before-write2 at t6",
		"crash:0@write3":                "",
		"crash:0@sync3":                 "",
		"crash:0@send2":                 "",
		"slow:0x2@write1,crash:0@sync2": "slow:0x2@write1 at t1, crash:0@sync2 at t9",
	} {
		got := walk(NewTracker(MustParse(text), 0), "WSYWY")
		assert.Equal(t, want, strings.Join(got, ", "), text)
	}
	lives := walk(NewTracker(MustParse("crash:0@write2,rejoin:0@t10,crash:0@write2:kept1,crash:0@before-sync2"), 0), "WSYWY^WY")
	require.Equal(t, []string{"crash:0@write2 at t7", "life 1 at t10", "crash:0@write2:kept1 at t13"}, lives)
}

func TestFaultsAtOnePointHappenInTheOrderOfTheSchedule(t *testing.T) {
	for text, want := range map[string]string{
		"slow:0x3@send1,slow:0x2@send1":                "slow:0x3@send1 at t1, slow:0x2@send1 at t1",
		"slow:0x2@send1,slow:0x3@send1":                "slow:0x2@send1 at t1, slow:0x3@send1 at t1",
		"slow:0x2@send1,crash:0@send1,slow:0x3@send1":  "slow:0x2@send1 at t1, crash:0@send1 at t1",
		"hang:0@send1,crash:0@send1":                   "hang:0@send1 at t1",
		"crash:0@send1,hang:0@send1":                   "crash:0@send1 at t1",
		"crash:0@after-send1,hang:0@before-send1":      "hang:0@before-send1 at t0",
		"slow:0x2@after-send1,slow:0x3@before-send1":   "slow:0x3@before-send1 at t0, slow:0x2@after-send1 at t2",
		"slow:0x2@before-send2,crash:0@after-send1":    "crash:0@after-send1 at t2",
		"crash:0@before-send2,slow:0x2@after-send1":    "slow:0x2@after-send1 at t2, crash:0@before-send2 at t2",
		"crash:1@send1,hang:1@t0,cut:0|1,rejoin:0@t50": "",
	} {
		got := walk(NewTracker(MustParse(text), 0), "SS")
		assert.Equal(t, want, strings.Join(got, ", "), text)
	}
}

func TestTheClockComesBeforeTheProgram(t *testing.T) {
	for text, want := range map[string]string{
		"crash:0@send2,crash:0@t2":                "crash:0@t2 at t2",
		"crash:0@send2,crash:0@t3":                "crash:0@t3 at t3", // its send has begun
		"crash:0@send2,crash:0@t4":                "crash:0@send2 at t3",
		"crash:0@before-send2,crash:0@t2":         "crash:0@t2 at t2",
		"crash:0@after-send1,hang:0@t2":           "hang:0@t2 at t2",
		"hang:0@t2,crash:0@t2":                    "crash:0@t2 at t2",
		"crash:0@t2,hang:0@t2":                    "crash:0@t2 at t2",
		"crash:0@t3,hang:0@t2":                    "hang:0@t2 at t2",
		"slow:0x2@before-send1,crash:0":           "crash:0@t0 at t0",
		"slow:0x2@after-send1,slow:0x3,hang:0@t3": "slow:0x2@after-send1 at t2, hang:0@t3 at t3",
	} {
		got := walk(NewTracker(MustParse(text), 0), "SSS")
		assert.Equal(t, want, strings.Join(got, ", "), text)
	}
}

// After a failure a rank begins again; what it has done before counts. What it failed of lets it
// alone then, and so does whatever the clock had for it before.
func TestCountsGoOnThroughAllLives(t *testing.T) {
	for text, want := range map[string]string{
		"crash:0@send2,rejoin:0@t6,crash:0@send3":       "crash:0@send2 at t3, life 1 at t6, crash:0@send3 at t11",
		"crash:0@before-send2,hang:0@send2,rejoin:0@t6": "crash:0@before-send2 at t2, life 1 at t6, hang:0@send2 at t9",
		"hang:0@after-send1,rejoin:0@t6,hang:0@t7":      "hang:0@after-send1 at t2, life 1 at t6, hang:0@t7 at t8",
		"crash:0@t1,rejoin:0@t6,crash:0@t6":             "crash:0@t1 at t1, life 1 at t6",
		"crash:0@recv1,crash:0@recv2,rejoin:0@t6":       "crash:0@recv1 at t4, life 1 at t6, crash:0@recv2 at t12",
		"crash:0@t4,crash:0@step:a#2,rejoin:0@t6":       "crash:0@t4 at t4, life 1 at t6, crash:0@step:a#2 at t16",
		"crash:0,rejoin:0@t6,crash:0@send1":             "crash:0@t0 at t0, life 1 at t6, crash:0@send1 at t9",
	} {
		got := walk(NewTracker(MustParse(text), 0), "SSR^SSRaa")
		assert.Equal(t, want, strings.Join(got, ", "), text)
	}
}

func TestTheLatestSlowDownIsInForce(t *testing.T) {
	for _, c := range []struct {
		text    string
		program string
		factors []int // at 0, 10, 20, ...
	}{
		{"slow:0x8", "", []int{8, 8}},
		{"slow:0x8@t10", "", []int{1, 8, 8}},
		{"slow:0x8@t11,slow:0x2@t20", "", []int{1, 1, 2, 2}},
		{"slow:0x2@t20,slow:0x8@t10", "", []int{1, 8, 2, 2}},
		{"slow:0x2@t10,slow:0x8@t10", "", []int{1, 8}},
		{"slow:0x8@t10,slow:0x2@t10", "", []int{1, 2}},
		// The clock slows the rank down again after the program has.
		{"slow:0x8@send1,slow:0x2@t30", "S", []int{1, 8, 8, 2, 2, 2, 2}},
		{"slow:0x2@t30,slow:0x8@send1", "S", []int{1, 8, 8, 2, 2, 2, 2}},
		{"slow:0x8@before-send6,slow:0x2@t10", "SSSSSS", []int{1, 8, 8}}, // both at 10
		{"slow:0x2@t10,slow:0x8@before-send6", "SSSSSS", []int{1, 8, 8}},
		// Of two points at one instant the one that is passed later.
		{"slow:0x3@before-send2,slow:0x2@after-send1", "SS", []int{1, 3}},
		// A rank that has come back is as slow as before, and the clock counts on.
		{"slow:0x3@send1,crash:0@send2,slow:0x2@t20,rejoin:0@t4", "SS^", []int{1, 3, 2}},
		{"slow:0x3@t4,crash:0@t2,rejoin:0@t20", "SSSSSSSSSS^", []int{1, 3, 3}},
	} {
		tracker := NewTracker(MustParse(c.text), 0)
		walk(tracker, c.program)
		for i, factor := range c.factors {
			assert.Equal(t, factor, tracker.FactorAt(clock.Time(10*i)), "%s at t%d", c.text, 10*i)
		}
	}
}

func TestStopsAndDeathsByTheClock(t *testing.T) {
	const never = clock.Never
	for _, c := range []struct {
		text          string
		program       string
		stops, dead   clock.Time
		first         string
		failedBefore5 bool
	}{
		{"slow:0x2", "", never, never, "", false},
		{"crash:0@t7", "", 7, 7, "crash:0@t7", false},
		{"crash:0@t4", "", 4, 4, "crash:0@t4", true}, // though its program may have returned
		{"hang:0@t4", "", 4, never, "hang:0@t4", false},
		{"hang:0@t4", "SSS", 4, never, "hang:0@t4", true},
		{"hang:0@t7,crash:0@t9,crash:0@t8", "", 7, 8, "hang:0@t7", false},
		{"crash:0@t9,hang:0@t9", "", 9, 9, "crash:0@t9", false},
		{"hang:0@t9,crash:0@t9", "", 9, 9, "crash:0@t9", false},
		{"crash:0@send2,crash:0@t9", "SS", 9, 3, "crash:0@t9", true},
		{"hang:0@send2,crash:0@t9", "SS", 9, 9, "crash:0@t9", true},
		{"crash:0@send3", "SSS", never, 5, "", false},
		{"crash:0,hang:0@t2,crash:0@t8,rejoin:0@t2", "S^", 8, 8, "crash:0@t8", false},
		{"crash:0,hang:0@t2,rejoin:0@t2", "S^", never, never, "", false},
	} {
		tracker := NewTracker(MustParse(c.text), 0)
		walk(tracker, c.program)
		assert.Equal(t, c.stops, tracker.StopsAt(), c.text)
		assert.Equal(t, c.dead, tracker.DeadAt(), c.text)
		assert.Equal(t, c.failedBefore5, tracker.FailedBefore(5), c.text)
		if first := tracker.FirstFailure(); c.first == "" {
			assert.Nil(t, first, c.text)
		} else {
			assert.Equal(t, c.first, first.String(), c.text)
		}
	}
}

// A process may notice late that its time has come. That makes no difference to what follows.
func TestAFailureThatIsLateWasDueInTime(t *testing.T) {
	for _, kind := range []string{"crash", "hang"} {
		tracker := NewTracker(MustParse(kind+":0@t4,rejoin:0@t5,crash:0@t6"), 0)
		tracker.Happens(tracker.FirstFailure(), 9)
		require.True(t, tracker.FailedBefore(5), kind)
		require.False(t, tracker.FailedBefore(4), kind)
		tracker.Restart(5)
		require.EqualValues(t, 6, tracker.StopsAt())
		require.Equal(t, "none", unfired(MustParse(kind+":0@t4,rejoin:0@t5"), 9, tracker).String())
	}
}

func TestRanksThatNothingHappensToHaveNoTracker(t *testing.T) {
	schedule := MustParse("crash:0@t4,cut:0-1|2-3,slow:2x2")
	require.NotNil(t, NewTracker(schedule, 0))
	require.Nil(t, NewTracker(schedule, 1))
	require.NotNil(t, NewTracker(schedule, 2))
	require.Empty(t, NewTracker(schedule, 1).History())
	require.Nil(t, NewTracker(MustParse("cut:0|1@t4"), 0), "a cut happens to links")
}

func unfired(s Schedule, end clock.Time, t *Tracker) Schedule {
	return s.AppendUnfired(nil, end, func(int) *Tracker { return t })
}

func TestUnfiredIsWhatDidNotHappen(t *testing.T) {
	for _, c := range []struct{ text, program, want string }{
		{"crash:0@send2,crash:0@send3,slow:0x2@send1", "SS", "crash:0@send3"},
		{"slow:0x2@t20,slow:0x3@t21,cut:0|1@t20,cut:0|2@t21", "", "slow:0x3@t21,cut:0|2@t21"},
		// The clock crashes a rank whose program has returned or hangs, but does not let it hang.
		{"crash:0@t20", "", ""},
		{"hang:0@t20", "", "hang:0@t20"},
		{"crash:0@t21", "", "crash:0@t21"},
		{"hang:0@send1,crash:0@t20", "S", ""},
		{"crash:0@t2,crash:0@t3,hang:0@t2", "SS", "crash:0@t3,hang:0@t2"},
		{"crash:0@send1,crash:0@t3", "SS", "crash:0@t3"},
		// Nothing makes a rank slow that has crashed, unless it comes back.
		{"crash:0@t2,slow:0x2@t2,slow:0x3@t3", "SS", "slow:0x3@t3"},
		{"hang:0@t2,slow:0x2@t2,slow:0x3@t3", "SS", ""},
		{"crash:0@t2,slow:0x3@t3,rejoin:0@t4", "SS^", ""},
		{"crash:0@t2,rejoin:0@t4,rejoin:0@t6", "SS^", "rejoin:0@t6"},
		{"crash:0@t2,rejoin:0@t4,crash:0@t3,crash:0@t6", "SS^", "crash:0@t3"},
		// The crash of a rank that had returned is what it comes back from.
		{"crash:0@t2,rejoin:0@t4,crash:0@t3", "..^", "crash:0@t3"},
	} {
		schedule := MustParse(c.text)
		tracker := NewTracker(schedule, 0)
		walk(tracker, c.program)
		assert.Equal(t, cmp.Or(c.want, "none"), unfired(schedule, 20, tracker).String(), c.text)
	}
}

// Wherever a tracker is left and another one goes on from its history, nothing changes.
func TestAHistoryIsEnoughToGoOn(t *testing.T) {
	items := strings.Fields("crash:0@t6 crash:0@t30 hang:0@t14 crash:0@send2 hang:0@send4 crash:0@after-send3 crash:0@before-send5 " +
		"hang:0@recv2 crash:0@recv4 crash:0@step:a#2 hang:0@step:b slow:0x2@send1 slow:0x3@t12 slow:0x4@recv1 slow:0x5@step:a")
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfNDistinct(rapid.SampledFrom(items), 1, 6, rapid.ID).Draw(t, "items"), ",")
		program := "S" + rapid.StringOfN(rapid.RuneFrom([]rune("SSSRRab^")), 4, 20, -1).Draw(t, "program")
		for i, action := range program {
			if action == '^' {
				text += fmt.Sprintf(",rejoin:0@t%d", 2*i)
			}
		}
		schedule := MustParse(text)
		whole, parts := walker{Tracker: NewTracker(schedule, 0)}, walker{Tracker: NewTracker(schedule, 0)}
		for _, action := range program {
			for _, w := range []*walker{&whole, &parts} {
				if action != '^' || w.FailedBefore(w.now) {
					w.do(string(action))
				}
				w.now += 2
			}
			history := parts.History()
			parts.Tracker = NewTracker(schedule, 0)
			parts.Resume(history)
			require.Equal(t, whole.History(), parts.History(), text)
			require.Equal(t, whole.Tracker, parts.Tracker, text)
		}
		require.Equal(t, whole.happened, parts.happened, text)
	})
}

// Machines ask at every send and receive of a rank that has faults.
func TestAskingATrackerTakesNoMemory(t *testing.T) {
	tracker := NewTracker(MustParse("crash:0@send9,crash:0@recv3,slow:0x2@t5,hang:0@step:a#7"), 0)
	tracker.Passed("a")
	require.Zero(t, testing.AllocsPerRun(100, func() {
		tracker.Sent()
		tracker.Received()
		tracker.Passed("a")
		tracker.Passed("b")
		tracker.Next(AtStep, "b", 3)
		tracker.Next(MidSend, "", 3)
		tracker.FactorAt(9)
	}))
}

func TestRejoinsHappenByTimeThenRank(t *testing.T) {
	var got []string
	for _, f := range MustParse("rejoin:2@t9,crash:1,rejoin:7@t3,rejoin:1@t9,rejoin:1@t3").Rejoins() {
		got = append(got, f.String())
	}
	require.Equal(t, []string{"rejoin:1@t3", "rejoin:7@t3", "rejoin:1@t9", "rejoin:2@t9"}, got)
	require.Empty(t, MustParse("crash:1").Rejoins())
}
