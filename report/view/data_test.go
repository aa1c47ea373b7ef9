package view_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/viewtest"
	"github.com/mangrove-emu/mangrove/report/view"
)

// The token reaches rank 3, which crashes in the middle of passing it on; ranks 4 and 5 wait.
func TestDataOfATokenThatIsLostInTheMiddleOfASend(t *testing.T) {
	d := dataOf(t, viewtest.OfToken(t, 6, "crash:3@send1,slow:1x2@t3"))
	assert.Equal(t, view.Messages{
		Count:  4,
		From:   view.Column{0, 1, 2, 3},
		To:     view.Column{1, 2, 3, 4},
		Kind:   view.Column{0, 0, 0, 0},
		Epoch:  view.Column{0, 0, 0, 0},
		A:      view.Column{0, 1, 2, 3},
		Sent:   view.Column{0, 5, 5, 4}, // t=0, 5, 10, 14
		Took:   view.Column{1, 2, 1, 0}, // rank 1 is slow, rank 3 fails as it begins
		Fate:   view.Column{int64(view.Received), int64(view.Received), int64(view.Received), int64(view.Unsent)},
		Flight: view.Column{2, 2, 2, 0},
		Takes:  view.Column{2, 1, 1, 0},
		Late:   view.Column{0, 0, 0, 0},
		Again:  view.Column{0, 0, 0, 0},
	}, d.Messages)
	assert.Equal(t, []string{"token"}, d.Kinds)
	assert.Equal(t, view.Column{0, 5, 10, 14, -1, -1}, d.Ranks.Coloured)
	assert.Equal(t, view.Column{-1, 0, 1, 2, -1, -1}, d.Ranks.By)
	assert.Equal(t, view.Column{1, 1, 1, 0, 0, 0}, d.Ranks.Sent)
	assert.Equal(t, view.Column{0, 1, 1, 1, 0, 0}, d.Ranks.Received)
	assert.Equal(t, []string{"finished", "crashed", "hung", "deadlocked"}, d.Ranks.Names)
	assert.Equal(t, view.Column{0, 0, 0, 1, 3, 3}, d.Ranks.Outcome)
	assert.Equal(t, view.Column{1, 7, 11, 14, -1, -1}, d.Ranks.Exit)

	assert.Equal(t, []string{"crash", "hang", "rejoin", "slow"}, d.Turns.Names)
	assert.Equal(t, view.Column{1, 3}, d.Turns.Rank)
	assert.Equal(t, []int64{3, 14}, instants(d.Turns.Time))
	assert.Equal(t, view.Column{3, 0}, d.Turns.What)
	assert.Equal(t, view.Column{2, 0}, d.Turns.Value)
	assert.Equal(t, []string{"passes"}, d.Steps.Names)
	assert.Equal(t, []int64{0, 5, 10, 14}, instants(d.Steps.Time))

	require.Len(t, d.Waiting, 2)
	assert.Equal(t, view.Wait{Rank: 4, Text: "rank 4 in Recv(any from 3) since t=0: rank 3 crashed at t=14"}, d.Waiting[0])
	assert.Equal(t, []view.Fault{
		{Text: "crash:3@send1", Rank: 3, Time: 14, Fired: true},
		{Text: "slow:1x2@t3", Rank: 1, Time: 3, Fired: true},
	}, d.Faults)
	assert.EqualValues(t, 14, d.End)
	assert.Empty(t, d.LeftOut)
}

// A fault at a point of a program that is passed at t=0 has happened then; slow ranks are so by the clock or from a point on.
func TestFaultsHaveTheTimeOfTheirEffect(t *testing.T) {
	for text, want := range map[string][]int64{
		"crash:0@before-send1":             {0},
		"hang:0@before-send1":              {0},
		"crash:2@t3,hang:1@recv1":          {3, 4},
		"slow:1x2@t4,slow:1x3@recv1":       {4, 4},
		"slow:1x2@t0,crash:1@t9":           {0, 9},
		"crash:2@t99,crash:0@after-send1":  {-1, 1},
		"crash:2@t2,rejoin:2@t4,hang:2@t6": {2, 4, 6},
	} {
		var times []int64
		for _, f := range dataOf(t, viewtest.OfToken(t, 3, text)).Faults {
			times = append(times, f.Time)
			assert.Equal(t, f.Time >= 0, f.Fired, text)
		}
		assert.Equal(t, want, times, text)
	}
}

func TestCurvesOfAToken(t *testing.T) {
	c := dataOf(t, viewtest.OfToken(t, 3, "crash:2@t6")).Curves
	assert.EqualValues(t, 1, c.Width)
	assert.Equal(t, 8, c.Points) // the message to rank 2 disappears at t=7
	assert.Equal(t, view.Column{1, 0, 0, 0, 1, 0, 0, 0}, c.Sent)
	assert.Equal(t, view.Column{0, 0, 0, 0, 1, 0, 0, 0}, c.Received)
	assert.Equal(t, view.Column{1, 1, 1, 1, 2, 2, 2, 2}, c.Coloured)
	assert.Equal(t, view.Column{0, 0, 0, 0, 0, 0, 1, 1}, c.Down)
	assert.Equal(t, view.Column{0, 0, 0, 0, 0, 0, 0, 1}, c.Lost)
}

// A rank is down once, however often it fails, and up again when it comes back.
func TestRanksThatFailAgainCountAsOftenAsTheyAreDown(t *testing.T) {
	for text, want := range map[string]view.Column{
		"hang:2@t2":                                             {0, 0, 1, 1, 1, 1, 1, 1, 1},
		"hang:2@t2,crash:2@t5":                                  {0, 0, 1, 1, 1, 1, 1, 1},
		"crash:2@t2,rejoin:2@t4":                                {0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		"crash:2@t2,rejoin:2@t4,hang:2@t6":                      {0, 0, 1, 1, 0, 0, 1, 1, 1},
		"hang:2@t2,crash:2@t3,rejoin:2@t4,crash:2@t6":           {0, 0, 1, 1, 0, 0, 1, 1},
		"crash:1@t1,crash:2@t2":                                 {0, 1, 2, 2},
		"crash:1@t1,crash:2@t1":                                 {0, 2, 2, 2},
		"hang:2@t2,rejoin:2@t3,hang:2@t5,rejoin:2@t6,hang:2@t7": {0, 0, 1, 0, 0, 1, 0, 1, 1},
	} {
		d := dataOf(t, viewtest.OfToken(t, 3, text))
		assert.Equal(t, want, d.Curves.Down, text)
	}
}

func TestCurvesOfALongRunHaveBins(t *testing.T) {
	run := viewtest.OfLine(t, "membership P=8 until=20000 faults=crash:5@t20,rejoin:5@t900")
	d := dataOf(t, run)
	assert.EqualValues(t, 21, d.Curves.Width)
	assert.LessOrEqual(t, d.Curves.Points, 1000)
	assert.EqualValues(t, run.Report.Messages, sum(d.Curves.Sent))
	assert.EqualValues(t, 1, d.Curves.Down[0], "it crashed at t=20")
	assert.EqualValues(t, 1, d.Curves.Down[899/21-1])
	assert.Zero(t, d.Curves.Down[900/21], "it has come back")
	assert.False(t, d.Spreads)
	assert.Zero(t, d.Above.Count)
}

// Ranks of this broadcast stay for a long time after its last message, in case they are needed.
func TestAPageEndsWhenNothingIsDrawnAnyMore(t *testing.T) {
	run := viewtest.OfLine(t, "bfb P=64 faults=crash:3@t14")
	require.Greater(t, run.Report.Exit, 100*run.Report.Quiescence)
	d := dataOf(t, run)
	assert.EqualValues(t, run.Report.Quiescence, d.End)
	assert.EqualValues(t, 1, d.Curves.Width)
}

func sum(c view.Column) (total int64) {
	for _, v := range c {
		total += v
	}
	return total
}

func TestFaultsSayWhenTheyHappenedIfTheyDid(t *testing.T) {
	d := dataOf(t, viewtest.OfLine(t, "broadcast P=16 faults=hang:5@recv1,slow:1x3@recv1,crash:9@send99,cut:4|*@t30,cut:6|*@t3"))
	times := make(map[string]int64)
	for _, f := range d.Faults {
		times[f.Text] = f.Time
		assert.Equal(t, f.Time >= 0, f.Fired, f.Text)
	}
	assert.Positive(t, times["hang:5@recv1"])
	assert.Positive(t, times["slow:1x3@recv1"])
	assert.EqualValues(t, -1, times["crash:9@send99"])
	assert.EqualValues(t, 3, times["cut:6|*@t3"])
	assert.Contains(t, d.Cuts, int64(3))
	for _, f := range d.Faults {
		assert.Equal(t, f.Text[:3] == "cut", f.Rank < 0, f.Text)
	}
}

// A page ends with the last message, or the last thing that happens to a rank, if that is later.
func TestAPageEndsWithTheLastThingThatIsDrawn(t *testing.T) {
	run := viewtest.OfLine(t, "bfb P=64 faults=crash:3@t14,crash:5@t700")
	require.Less(t, run.Report.Quiescence, clock.Time(700))
	assert.EqualValues(t, 704, dataOf(t, run).End, "the last rank hears of the crash")
	run.Report.Quiescence = 800
	assert.EqualValues(t, 800, dataOf(t, run).End)
}

// What happened to a rank at points of its program is told by events, which do not say of what.
func TestFaultsOfARankThatComesBackHaveTheirOwnTimes(t *testing.T) {
	for text, want := range map[string][]int64{
		"crash:1@recv1,rejoin:1@t9":                          {4, 9},
		"hang:1@recv1,rejoin:1@t9,crash:1@t12":               {4, 9, 12},
		"crash:1@t2,rejoin:1@t3,hang:1@recv1":                {2, 3, 4},
		"crash:1@t2,rejoin:1@t3,crash:1@recv1":               {2, 3, 4},
		"crash:1@recv1,hang:1@t2,rejoin:1@t3":                {4, 2, 3},
		"slow:1x2@t1,slow:1x3@recv1":                         {1, 5},
		"slow:1x2@recv1,slow:1x3@after-send1":                {-1, -1}, // which was which?
		"slow:1x2@recv1,slow:2x3@recv1,crash:1@before-send9": {4, 9, -1},
	} {
		var times []int64
		for _, f := range dataOf(t, viewtest.OfToken(t, 3, text)).Faults {
			times = append(times, f.Time)
		}
		assert.Equal(t, want, times, text)
	}
}

func TestThePageNamesTheMachine(t *testing.T) {
	run := viewtest.OfLine(t, "broadcast P=16 L=5 faults=crash:3")
	d := dataOf(t, run)
	assert.Equal(t, run.Line, d.Line)
	assert.Equal(t, run.Machine(), d.Machine)
	assert.Contains(t, d.Machine, "L=5")
}

// Those who wait for ever and are drawn come first, all of them; of the others as many as there is room for.
func TestRanksThatWaitForEverAreListedIfTheyAreDrawn(t *testing.T) {
	run := viewtest.OfToken(t, 2000, "crash:0")
	run.Ranks = view.Range{First: 1000, Last: 1009}
	d := dataOf(t, run)
	require.Len(t, d.Waiting, 500)
	for i, w := range d.Waiting {
		want := 1000 + i
		if i >= 10 {
			want = i - 9
		}
		assert.Equal(t, want, w.Rank)
	}
	assert.Contains(t, d.LeftOut, "The report lists 500 of 1999 ranks that wait for ever.")
	run.Ranks = view.Range{First: 100, Last: 1299}
	d = dataOf(t, run)
	assert.Len(t, d.Waiting, 1200)
	assert.Contains(t, d.LeftOut, "The report lists 1200 of 1999 ranks that wait for ever.")
	run = viewtest.OfToken(t, 501, "crash:0")
	d = dataOf(t, run)
	assert.Len(t, d.Waiting, 500)
	assert.Empty(t, d.LeftOut)
}

// Rank 2 begins again at t=4, and waits for rank 1 from then on.
func TestRanksThatWaitForEverSaySinceWhen(t *testing.T) {
	d := dataOf(t, viewtest.OfToken(t, 3, "crash:1@t1,crash:2@t2,rejoin:2@t4"))
	require.Len(t, d.Waiting, 1)
	assert.EqualValues(t, 4, d.Waiting[0].Since)
}

func TestCutsAreListedOnceForEachInstant(t *testing.T) {
	d := dataOf(t, viewtest.OfLine(t, "broadcast P=16 faults=cut:6|*@t9,cut:4|*@t3,cut:5|*@t3"))
	assert.Equal(t, view.Column{3, 9}, d.Cuts)
}

func TestLongListsAreCutOffAndThePageSaysSo(t *testing.T) {
	run := viewtest.OfLine(t, "broadcast P=8192 correction=none faults=crash:10%")
	d := dataOf(t, run)
	assert.Len(t, d.Faults, 500)
	said := ""
	for _, text := range d.LeftOut {
		said += text + "\n"
	}
	assert.Contains(t, said, "Ranks 0 to 255 of 8192 are drawn")
	assert.Contains(t, said, fmt.Sprintf("The schedule lists 500 of %d faults", len(run.Report.Faults)))
	for _, w := range d.Waiting[min(500, len(d.Waiting)):] {
		assert.LessOrEqual(t, w.Rank, 255, "all that are drawn are listed")
	}
}

func dataOf(t require.TestingT, run view.Run) *view.Data {
	d, err := view.NewData(run)
	require.NoError(t, err)
	return d
}

// instants adds up differences.
func instants(steps view.Column) []int64 {
	total, all := int64(0), make([]int64, len(steps))
	for i, s := range steps {
		total += s
		all[i] = total
	}
	return all
}

// The token goes around six ranks. On the page it is late, arrives once more, and is lost.
func TestDataOfATokenThatIsLateAndComesTwice(t *testing.T) {
	d := dataOf(t, viewtest.OfToken(t, 6, "late:0@send1+20,twice:1@send1+9,lose:2@send1,cut:4|*@t3,mend:4|*@t9"))
	m := d.Messages
	assert.Equal(t, 4, m.Count)
	assert.Equal(t, view.Column{0, 1, 1, 2}, m.From)
	assert.Equal(t, view.Column{1, 2, 2, 3}, m.To)
	assert.Equal(t, view.Column{20, 0, 9, 0}, m.Late)
	assert.Equal(t, view.Column{0, 0, 1, 0}, m.Again)
	assert.Equal(t, view.Column{22, 2, 11, 0}, m.Flight)
	assert.Equal(t, view.Column{int64(view.Received), int64(view.Received), int64(view.Received), int64(view.Dropped)}, m.Fate)
	assert.Equal(t, view.Column{3}, d.Cuts)
	assert.Equal(t, view.Column{9}, d.Mends)
	var times []int64
	for _, f := range d.Faults {
		times = append(times, f.Time)
	}
	assert.Equal(t, []int64{1, 25, 29, 3, 9}, times)
	assert.Equal(t, -1, d.Faults[3].Rank)
	assert.Equal(t, -1, d.Faults[4].Rank)
}
