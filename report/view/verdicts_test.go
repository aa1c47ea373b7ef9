package view_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/viewtest"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/report/view"
)

// marked is a run of four ranks with a verdict that has marks.
func marked(t *testing.T, marks ...guarantee.Mark) view.Run {
	run := viewtest.OfVote(t, 4, "none")
	run.Guarantees = []guarantee.Verdict{{Name: "linearizable", Evidence: "no order", Beyond: "nobody fails", Marks: marks}, {Name: "termination", Value: guarantee.Held}}
	return run
}

// Marks are in the order in which they begin. One that never ended has no time that a browser would round.
func TestDataOfMarks(t *testing.T) {
	marks := []guarantee.Mark{
		{Rank: 1, From: 7, To: clock.Forever, Text: "put x=1"},
		{Rank: 3, From: 2, To: 9, Text: "get x", Guilty: true},
		{Rank: 2, From: 9, To: clock.Never, Text: "put x=1"},
		{Rank: 2, From: 9, To: 9, Text: "fail"},
	}
	run := marked(t, marks...)
	d := dataOf(t, run)
	require.Len(t, d.Guarantees, 2)
	v := d.Guarantees[0]
	assert.Equal(t, "linearizable", v.Name)
	assert.Equal(t, guarantee.Broken, v.Value)
	assert.Equal(t, "no order", v.Evidence)
	assert.Equal(t, "nobody fails", v.Beyond)
	assert.Equal(t, &view.Bars{
		Count:  4,
		Texts:  []string{"get x", "put x=1", "fail"},
		Rank:   view.Column{3, 1, 2, 2},
		Text:   view.Column{0, 1, 1, 2},
		From:   view.Column{2, 5, 2, 0},
		Took:   view.Column{7, -1, -1, 0},
		Guilty: view.Column{1, 0, 0, 0},
	}, v.Marks)
	assert.Nil(t, d.Guarantees[1].Marks)
	assert.Equal(t, "put x=1", marks[0].Text, "the verdict is as it was")
	assert.EqualValues(t, 7, run.Guarantees[0].Marks[0].From)
	text, err := json.Marshal(d.Guarantees)
	require.NoError(t, err)
	assert.NotRegexp(t, `\d{16}`, string(text))
	assert.Equal(t, 1, strings.Count(string(text), `"marks"`), "those without have none")
}

// A mark may end when nothing else is drawn any more, but programs have not returned. One that ends later, or never, goes on to the end of the page.
func TestAPageEndsAfterItsMarks(t *testing.T) {
	for _, c := range []struct {
		mark guarantee.Mark
		end  int64
	}{
		{guarantee.Mark{From: 1, To: 15}, 20},
		{guarantee.Mark{From: 1, To: clock.Forever}, 20},
		{guarantee.Mark{From: 1, To: 60}, 60},
		{guarantee.Mark{From: 70, To: clock.Forever}, 70},
		{guarantee.Mark{From: 1, To: 5000}, 90},
		{guarantee.Mark{From: 95, To: 5000}, 95},
	} {
		run := handMade("none", report.Event{Time: 90, Kind: report.EventExit, Peer: report.NoPeer})
		run.Guarantees = []guarantee.Verdict{{Marks: []guarantee.Mark{c.mark}}}
		assert.Equal(t, c.end, dataOf(t, run).End, "%+v", c.mark)
	}
}

func TestMarksOfRanksThatAreNotDrawnAreCounted(t *testing.T) {
	run := marked(t, guarantee.Mark{Rank: 0, To: 3, Text: "a"}, guarantee.Mark{Rank: 2, To: 3, Text: "b"}, guarantee.Mark{Rank: 3, To: 3, Text: "c"})
	run.Ranks = view.Range{First: 1, Last: 2}
	d := dataOf(t, run)
	assert.Equal(t, []string{"b"}, d.Guarantees[0].Marks.Texts)
	assert.Contains(t, d.LeftOut, "Marks of verdicts at ranks that are not drawn: 2.")
}

func TestOfTooManyMarksThoseThatAreWrongAreDrawn(t *testing.T) {
	marks := viewtest.Told(1, 20_005, 2)
	marks[20_004].Guilty = true
	d := dataOf(t, marked(t, marks...))
	m := d.Guarantees[0].Marks
	assert.Equal(t, 20_000, m.Count)
	assert.EqualValues(t, 2, sum(m.Guilty))
	assert.Equal(t, []string{`20000 of the 20005 marks of "linearizable" are drawn, those that are wrong first.`}, d.LeftOut)
}

func TestMarksThatCannotBeDrawnAreErrors(t *testing.T) {
	for want, mark := range map[string]guarantee.Mark{
		`view: verdict "linearizable" marks "put" of rank 4, want ranks of 0 to 3`:  {Rank: 4, Text: "put"},
		`view: verdict "linearizable" marks "put" of rank -1, want ranks of 0 to 3`: {Rank: -1, Text: "put"},
		`view: verdict "linearizable" marks "put" from t=9 to 8, want instants of 0 to 1152921504606846975 in ascending order, or clock.Forever for its end`: {
			From: 9, To: 8, Text: "put"},
		`view: verdict "linearizable" marks "put" from t=-1 to 8, want instants of 0 to 1152921504606846975 in ascending order, or clock.Forever for its end`: {
			From: -1, To: 8, Text: "put"},
		`view: verdict "linearizable" marks "put" from t=9223372036854775807 to never, want instants of 0 to 1152921504606846975 in ascending order, or clock.Forever for its end`: {
			From: clock.Never, To: clock.Never, Text: "put"},
	} {
		require.EqualError(t, view.Write(&strings.Builder{}, marked(t, mark)), want)
	}
}
