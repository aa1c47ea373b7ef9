package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/viewtest"
	"github.com/mangrove-emu/mangrove/report/view"
)

// said is what the page says about a place of the timeline.
func (x *tab) said(place string) string {
	x.t.Helper()
	x.hover("5, 5")
	x.hover(place)
	return x.text("#tooltip:not([hidden])")
}

// labels are the names that stand on the timeline.
func (x *tab) labels() []string {
	x.t.Helper()
	return evaluate[[]string](x, inPage("timeline.labels.map(l => l.text)"))
}

// Each step has its name beside it, as far as it does not run into the next one; otherwise hovering says it, and zooming in makes room.
func testStepNames(t *testing.T, x *tab) {
	x.open(viewtest.OfVote(t, 4, "none"))
	assert.Equal(t, []string{"asks all", "commit", "prepared", "commit", "prepared", "commit", "prepared", "commit"}, x.labels())
	assert.Positive(t, x.share("timeline", "text", "timeline.labels[0].x0 + 3, timeline.labels[0].y - 5, 30, 10"), "it is written there")
	assert.Equal(t, "step prepared\nrank 2, t=5", x.said("timeline.labels[4].x1 - 3, timeline.labels[4].y"), "the name can be hovered over, too")
	assert.Equal(t, "step prepared\nrank 2, t=5", x.said("axes.x(5), timeline.labels[4].y"))

	x.do(chromedp.EmulateViewport(1280, 500))
	x.open(viewtest.OfVote(t, 40, "none"))
	assert.Empty(t, x.labels(), "rows are too low")
	for range 12 {
		x.do(chromedp.KeyEvent("r"))
	}
	x.settle()
	assert.Contains(t, x.labels(), "prepared")

	run := viewtest.OfVote(t, 3, "none")
	for i := range run.Report.Events { // one follows the other too soon
		if e := &run.Report.Events[i]; e.Step == "commit" && e.Rank == 1 {
			e.Step = "a step whose name is so long that nothing has room for it on a page where all of the run can be seen " + strings.Repeat("x", 99)
		}
	}
	x.open(run)
	assert.NotContains(t, strings.Join(x.labels(), ","), "so long")
	assert.Contains(t, x.said("axes.x(13), axes.y(1) + 3"), "step a step whose name is so long")

	for _, crowded := range []view.Run{viewtest.OfLine(t, "collective op=barrier P=8 faults=crash:3@t5"), viewtest.OfLog(t, 4, clock.Disk{Write: 2, Sync: 6, Read: 1}, "none")} {
		x.open(crowded)
		boxes := evaluate[[][3]float64](x, inPage("timeline.labels.map(l => [l.row, l.x0, l.x1])"))
		require.Greater(t, len(boxes), 10)
		for i, b := range boxes[1:] {
			assert.True(t, b[0] != boxes[i][0] || b[1] >= boxes[i][2], "%v runs into %v", boxes[i], b)
		}
	}
}

// What storage is used for are bars, told apart by their shapes, and all of it can be hovered over.
func testStorage(t *testing.T, x *tab) {
	x.open(viewtest.OfLog(t, 3, clock.Disk{Write: 2, Sync: 6, Read: 1}, "crash:1@sync1,rejoin:1@t20"))
	assert.Equal(t, []string{"send", "receive", "crash", "rejoin", "write", "delete", "sync", "read", "storage lost"}, x.texts("#legend span"))
	bars := map[string]struct{ rank, from, to int }{
		"read the names of all records": {1, 0, 1},
		"write entry 0":                 {1, 6, 8},
		"write last":                    {1, 8, 10},
		"sync-lost: not complete, rank 1 failed: nothing is safe by it": {1, 10, 13},
		"sync: all that was changed is safe at its end":                 {2, 11, 17},
	}
	for said, bar := range bars {
		middle := fmt.Sprintf("axes.x(%d.5), laneY(%d, 0)", bar.from, bar.rank)
		assert.Equal(t, fmt.Sprintf("%s\nrank %d, t=%d to %d", said, bar.rank, bar.from, bar.to), x.said(middle))
	}
	inside := func(rank, from, to int) string {
		return fmt.Sprintf("axes.x(%d) + 3, laneY(%d, 0) - 8, axes.x(%d) - axes.x(%d) - 8, 2", from, rank, to, from)
	}
	assert.Greater(t, x.share("timeline", "storage", inside(1, 6, 8)), 0.9, "a write is filled")
	assert.Greater(t, x.share("timeline", "panel", inside(1, 10, 13)), 0.9, "what was lost is not")
	assert.Greater(t, x.share("timeline", "panel", inside(1, 0, 1)), 0.9, "nor is a read")
	assert.Greater(t, x.share("timeline", "text", "axes.x(17) - 3, laneY(2, 0) - 4, 2, 8"), 0.9, "a sync has a bar at its end")
	assert.Contains(t, x.labels(), "forget 2 changes")
	assert.Contains(t, x.said("timeline.labels.find(l => l.text === 'forget 2 changes').x1 - 3, timeline.labels.find(l => l.text === 'forget 2 changes').y"),
		"forget 2 changes that were not safe\nrank 1, t=13")
	assert.Equal(t, "rank 1 crashes\nt=13\nand loses 2 changes of its storage that were not safe", x.said("axes.x(13), axes.middle(1) + 4"))
	assert.Contains(t, x.said("10, axes.y(1.5)"), "\nstorage: write 4×, delete 2×, sync 1×, read 2×, sync-lost 1×, lost 2 changes\n")

	x.goTo(12)
	assert.Contains(t, x.text("#ring-note"), "2 use storage")
	assert.Positive(t, x.share("ring", "storage", "ring.place(1)[0] - 12, ring.place(1)[1] - 12, 24, 24"), "while it writes")
	assert.Zero(t, x.share("ring", "storage", "ring.place(0)[0] - 12, ring.place(0)[1] - 12, 24, 24"))
	still := x.share("timeline", "storage", "")
	x.goTo(0)
	assert.Equal(t, still, x.share("timeline", "storage", ""), "a still picture has all of it")
	assert.True(t, evaluate[bool](x, inPage("data.instants.includes(8)")), "stepping stops there")

	x.open(viewtest.OfToken(t, 3, "none"))
	assert.Zero(t, x.share("timeline", "storage", ""))
}

// On a disk that takes no time there are strokes, and hovering tells of all that happened at an instant.
func testStorageWithoutTime(t *testing.T, x *tab) {
	x.open(viewtest.OfLog(t, 3, clock.Disk{}, "none"))
	assert.Contains(t, x.labels(), "write entry 0, write last, sync")
	assert.Positive(t, x.share("timeline", "storage", "axes.x(4) - 4, laneY(1, 0) - 10, 8, 20"))
	assert.Equal(t, "write entry 0\nrank 1, t=4\nwrite last\nrank 1, t=4\nsync: all that was changed is safe at its end\nrank 1, t=4", x.said("axes.x(4), laneY(1, 0)"))
	x.do(chromedp.EmulateViewport(1280, 500))
	x.open(viewtest.OfLog(t, 100, clock.Disk{}, "none"))
	assert.Less(t, x.number("axes.tall"), 7.0)
	assert.Positive(t, x.share("timeline", "storage", ""), "in low rows they are pixels")
}

// The marks of what is broken are there at once, those of other verdicts when they are selected.
func testMarks(t *testing.T, x *tab) {
	x.open(viewtest.OfHistory(t))
	assert.EqualValues(t, 5, x.number("timeline.bars.length"), "those of the verdict that is broken")
	assert.Equal(t, "✕ linearizable: no order of 5 operations explains get x → 0 of rank 2 at t=24 to 29 zoom to its 5 marks", x.text("#broken li"))
	top := evaluate[[]float64](x, `["#broken", "#player", "main"].map(s => document.querySelector(s).getBoundingClientRect().top)`)
	assert.IsIncreasing(t, top, "what is broken stands above all else")
	assert.Equal(t, []string{"mark of a verdict", "what is wrong"}, x.texts("#legend span")[6:])

	place := func(i int) string {
		return fmt.Sprintf("...(b => [(b[0] + b[2]) / 2, (b[1] + b[3]) / 2])(mangrove.bar(%d))", i)
	}
	around := func(i int) string {
		return fmt.Sprintf("...(b => [b[0] - 1, b[1] - 1, b[2] - b[0] + 2, b[3] - b[1] + 2])(mangrove.bar(%d))", i)
	}
	assert.Equal(t, "get x → 0\nrank 2, t=24 to 29\nthis is what is wrong: linearizable (broken)", x.said(place(4)))
	assert.Equal(t, "get x → 2\nrank 2, t=17 to 22\nmarked by: linearizable (broken)", x.said(place(3)))
	never := x.said(place(2))
	assert.Equal(t, "put y="+viewtest.Hostile+"\nrank 1, from t=6 on, never ended\nmarked by: linearizable (broken)", never)
	assert.False(t, evaluate[bool](x, "'hostile' in window"), "texts are texts")
	assert.Equal(t, []int{0, 1, 2, 0, 0}, x.list("timeline.bars.map(b => b.place)"), "those of one rank at a time stand above each other")
	assert.Positive(t, x.share("timeline", "broken", around(4)))
	assert.Zero(t, x.share("timeline", "broken", around(3)))
	assert.Greater(t, x.share("timeline", "mark", around(3)), 0.5)
	assert.GreaterOrEqual(t, x.number("mangrove.bar(2)[2]"), x.number("axes.x(data.end)"), "what never ended goes on to the end")

	whole := x.number("axes.to - axes.from")
	x.click("#broken button.marks")
	assert.Less(t, x.number("axes.to - axes.from"), whole, "nearer")
	assert.Positive(t, x.number("axes.x(2) - axes.left"), "the first of them is in sight")
	assert.Positive(t, x.number("axes.left + axes.width - axes.x(29)"), "and the last")
	assert.Positive(t, x.number("axes.barsTall()"), "with their texts")
	assert.Equal(t, []string{"true", "true", "false"}, x.pressed("button.marks"))

	x.eval(`document.querySelectorAll("#report button.marks")[1].click()`)
	assert.EqualValues(t, 2, x.number("timeline.bars.length"), "those of the verdict that was selected")
	assert.Equal(t, []string{"false", "false", "true"}, x.pressed("button.marks"))
	assert.Equal(t, "term 1\nrank 3, t=3\nmarked by: terms only grow (held)", x.said(place(0)))
	x.do(chromedp.KeyEvent("\x1b")) // Escape
	x.settle()
	assert.EqualValues(t, 5, x.number("timeline.bars.length"), "as it was")
	assert.Equal(t, []string{"false", "false", "false"}, x.pressed("button.marks"))
}

// pressed says of each button whether it is.
func (x *tab) pressed(selector string) []string {
	x.t.Helper()
	return evaluate[[]string](x, fmt.Sprintf(`Array.from(document.querySelectorAll(%q), e => e.getAttribute("aria-pressed"))`, selector))
}

// Many marks in low rows are there all the same, and zooming to them makes rows tall enough.
func testManyMarks(t *testing.T, x *tab) {
	run := viewtest.OfLog(t, 100, clock.Disk{Write: 1, Sync: 3, Read: 1}, "none")
	run.Guarantees = []guarantee.Verdict{{Name: "linearizable", Evidence: "a long history", Marks: viewtest.Told(100, 150, 12)}}
	x.open(run)
	assert.EqualValues(t, 15_000, x.number("timeline.bars.length"))
	assert.Positive(t, x.share("timeline", "broken", ""))
	assert.Zero(t, x.number("axes.barsTall()"))
	assert.Less(t, x.number("drawNow()"), 400.0, "milliseconds; usually 20")
	x.click("#broken button.marks")
	assert.Positive(t, x.number("axes.barsTall()"))
	assert.Positive(t, x.share("timeline", "broken", ""))
}

// Several kinds of messages have colours and shapes of their own, and a button each that leaves the others out.
func testKinds(t *testing.T, x *tab) {
	x.open(viewtest.OfVote(t, 5, "none"))
	assert.Equal(t, []string{"prepare", "yes", "commit"}, x.texts("#kinds button"))
	assert.Positive(t, x.share("timeline", "kind-1", ""))
	assert.Positive(t, x.share("timeline", "kind-2", ""))
	yes := "...along([axes.x(5), laneY(1, 0)], [axes.x(7), laneY(0, 1)], 0.6)"
	assert.Positive(t, x.share("timeline", "kind-1", "...box("+yes+")"), "a line has the colour of its kind")
	assert.Contains(t, x.said(yes), "yes\nfrom rank 1")
	shapes := evaluate[[]string](x, `Array.from(document.querySelectorAll("#kinds polygon"), p => p.getAttribute("points"))`)
	assert.Len(t, shapes, 3)
	assert.NotEqual(t, shapes[0], shapes[1])
	assert.NotEqual(t, shapes[1], shapes[2])
	x.goTo(6)
	assert.Positive(t, x.share("ring", "kind-1", ""), "so does what is under way")

	x.eval(`document.querySelectorAll("#kinds button")[2].click()`)
	assert.Equal(t, []string{"false", "false", "true"}, x.pressed("#kinds button"))
	assert.Zero(t, x.share("timeline", "kind-1", ""))
	assert.Positive(t, x.share("timeline", "kind-2", ""))
	assert.EqualValues(t, 4, x.number("timeline.stats.lines"))
	assert.NotContains(t, x.said(yes), "yes", "what is not drawn cannot be hovered over")
	x.eval(`document.querySelectorAll("#kinds button")[2].click()`)
	assert.EqualValues(t, 12, x.number("timeline.stats.lines"))

	x.open(viewtest.OfToken(t, 4, "none"))
	assert.Empty(t, x.texts("#kinds:not([hidden]) button"), "one kind needs no legend")
}

// Keys go from one thing to the next, in the order of time, and say what the mouse would.
func testThings(t *testing.T, x *tab) {
	x.open(viewtest.OfHistory(t))
	var said []string
	for _, key := range []string{"}", "}", "}", "}", "}", "{"} {
		x.do(chromedp.KeyEvent(key))
		x.settle()
		said = append(said, strings.Split(x.text("#tooltip:not([hidden])"), "\n")[0])
	}
	assert.Equal(t, []string{"write entry 0", "read the names of all records", "read the names of all records", "read the names of all records", "put x=1", "read the names of all records"}, said)
	x.eval(`for (let i = 0; i < 99; i++) document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "}", bubbles: true}))`)
	assert.Equal(t, "delete last", strings.Split(x.text("#tooltip:not([hidden])"), "\n")[0], "the last one")
	x.open(viewtest.OfToken(t, 6, "crash:3@send1"))
	for range 5 {
		x.do(chromedp.KeyEvent("}"))
	}
	x.settle()
	assert.Equal(t, "rank 3 crashes\nt=12", x.text("#tooltip:not([hidden])"))
}

// Panels are there where they show something.
func testPanels(t *testing.T, x *tab) {
	shown := func(run view.Run) string {
		x.open(run)
		var ids []string
		for _, id := range []string{"tree", "ring", "curves"} {
			if evaluate[float64](x, fmt.Sprintf("document.getElementById('%s-panel').offsetWidth", id)) > 0 {
				ids = append(ids, id)
			}
		}
		return strings.Join(ids, " ")
	}
	assert.Equal(t, "ring curves", shown(viewtest.OfVote(t, 4, "none")), "nothing is coloured")
	assert.Equal(t, "curves", shown(viewtest.OfVote(t, 2, "none")), "two ranks are no ring")
	assert.Equal(t, "curves", shown(viewtest.OfToken(t, 4, "crash:0")), "nobody was coloured by another, nor sends anything")
	assert.Equal(t, "tree ring curves", shown(viewtest.OfToken(t, 4, "none")))
	assert.Equal(t, "ring curves", shown(viewtest.OfLine(t, "reduce P=8")))
	require.Positive(t, x.share("curves", "send", ""))
}
