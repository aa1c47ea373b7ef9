package browsertest

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/viewtest"
	"github.com/mangrove-emu/mangrove/report/view"
)

// Pages do in a browser what they should, and draw what they should: pixels are read back from
// their canvases.
func TestPagesInABrowser(t *testing.T) {
	browser := startBrowser(t)
	for name, test := range map[string]func(*testing.T, *tab){
		"slices are where their times and ranks are":  testSlices,
		"time moves when played":                      testPlaying,
		"ranks are coloured as time moves":            testColouring,
		"zooming keeps the instant under the mouse":   testZooming,
		"dragging moves what is drawn":                testDragging,
		"hovering shows both ends of the message":     testHovering,
		"hovering over a label shows the rank's fate": testFates,
		"a hundred thousand events are drawn fast":    testManyEvents,
		"a large run has curves and a range":          testLargeRun,
		"a rank that fails again is down again":       testSecondFailure,
		"notes say what panels show":                  testNotes,
		"every stroke is where it was":                testDrawing,
		"words for numbers":                           testFormats,
		"the report says what the run says":           testReport,
		"the tree has who coloured whom":              testTree,
		"hovering tells what went wrong":              testTellings,
		"keys and buttons step through time":          testStepping,
		"the run is kept in sight":                    testAxes,
		"names of steps stand where there is room":    testStepNames,
		"storage has bars":                            testStorage,
		"storage that takes no time has strokes":      testStorageWithoutTime,
		"marks of verdicts are shown and zoomed to":   testMarks,
		"many marks are drawn":                        testManyMarks,
		"kinds of messages are told apart":            testKinds,
		"keys go from thing to thing":                 testThings,
		"panels fit the protocol":                     testPanels,
		"dark pages are dark":                         testDark,
		"pages fit into windows":                      testWindows,
		"pages of all protocols open":                 testProtocols,
	} {
		t.Run(name, func(t *testing.T) {
			x := newTab(t, browser)
			test(t, x)
			x.requireQuiet()
		})
	}
}

// passed is a message with the token, and when it was sent and received.
type passed struct {
	from, to                  int
	sent, resumed, start, end clock.Time
}

func testSlices(t *testing.T, x *tab) {
	x.open(viewtest.OfToken(t, 6, "crash:3@send1,slow:1x2@t3"))
	for i, m := range []passed{{0, 1, 0, 1, 3, 5}, {1, 2, 5, 7, 9, 10}, {2, 3, 10, 11, 13, 14}} { // the fourth was not sent
		send := fmt.Sprintf("axes.x(%d) + 3, laneY(%d, 0) - 2, axes.x(%d) - axes.x(%d) - 6, 4", m.sent, m.from, m.resumed, m.sent)
		receive := fmt.Sprintf("axes.x(%d) + 3, laneY(%d, 1) - 2, axes.x(%d) - axes.x(%d) - 6, 4", m.start, m.to, m.end, m.start)
		assert.Greater(t, x.share("timeline", "send", send), 0.5, "message %d", i) // its name is written there
		assert.Greater(t, x.share("timeline", "receive", receive), 0.5, "message %d", i)
		before := fmt.Sprintf("axes.x(%d) - 8, laneY(%d, 0) - 2, 6, 4", m.sent, m.from)
		assert.Zero(t, x.share("timeline", "send", before), "nothing before it")
		for _, part := range []float64{0.3, 0.5, 0.7} {
			place := fmt.Sprintf("...along([axes.x(%d), laneY(%d, 0)], [axes.x(%d), laneY(%d, 1)], %f)", m.resumed, m.from, m.start, m.to, part)
			assert.Less(t, x.darkest("box("+place+")"), 200.0, "a line from send to receive")
			assert.Greater(t, x.darkest("box("+place+").map((v, i) => i ? v : v - 20)"), 210.0, "and nothing beside it")
		}
	}
	assert.Positive(t, x.share("timeline", "crash", "axes.x(14) - 4, axes.y(3.5) - 4, 8, 8"))
	assert.Positive(t, x.share("timeline", "slow", "axes.x(3) - 4, axes.y(1.5) - 4, 8, 8"))
	assert.Greater(t, x.share("timeline", "tint-coloured", "axes.x(6), axes.y(0) + 2, 40, 30"), 0.8, "rank 0 is coloured")
	assert.Zero(t, x.share("timeline", "tint-coloured", "axes.left, axes.y(4), axes.width, 2 * axes.tall"), "ranks 4 and 5 never are")
	assert.Positive(t, x.share("timeline", "text", "axes.x(14) - 6, axes.y(4.5) - 6, 12, 12"), "rank 4 waits for ever")
}

func testPlaying(t *testing.T, x *tab) {
	x.open(viewtest.OfLine(t, "broadcast P=64 tree=lame faults=crash:3@send2,hang:9@t12"))
	require.Zero(t, x.number("player.now"))
	before := x.share("ring", "coloured", "")
	x.do(chromedp.KeyEvent(" "))
	require.Eventually(t, func() bool { return x.number("player.now") > 6 }, 20*time.Second, 50*time.Millisecond)
	x.do(chromedp.KeyEvent(" "))
	now := x.number("player.now")
	time.Sleep(100 * time.Millisecond)
	require.Equal(t, now, x.number("player.now"), "it has stopped")
	assert.Greater(t, x.share("ring", "coloured", ""), before)
	assert.Greater(t, x.share("timeline", "text", "axes.x(player.now) - 2, axes.y(0), 4, axes.height / 2", "canvas.over"), 0.2, "the line is where the time is")
	x.do(chromedp.KeyEvent("."))
	assert.Equal(t, math.Floor(now)+1, x.number("player.now"), "one tick on")
	assert.Equal(t, fmt.Sprintf("t=%.0f", math.Floor(now)+1), x.text("#now"))
	x.do(chromedp.KeyEvent(","))
	assert.Equal(t, math.Floor(now), x.number("player.now"), "one tick back")
	x.eval(`(() => { const s = document.getElementById("slider"); s.value = 20; s.dispatchEvent(new Event("input")); })()`)
	assert.EqualValues(t, 20, x.number("player.now"))
}

// testColouring looks at the middle of each rank's dot in the tree and in the ring, at many times.
func testColouring(t *testing.T, x *tab) {
	run := viewtest.OfLine(t, "broadcast P=24 faults=crash:3@send2,hang:9@t12,crash:5,crash:20@t14")
	x.open(run)
	for at := range clock.Time(28) {
		x.eval(fmt.Sprintf("mangrove.player.go(%d); mangrove.drawNow()", at))
		for rank := range run.Report.Ranks {
			want := stateOf(run, rank, at)
			for _, panel := range []string{"ring", "tree"} {
				place := fmt.Sprintf("%s.place(%d)[0] - 2, %s.place(%d)[1] - 2, 4, 4", panel, rank, panel, rank)
				assert.Positive(t, x.share(panel, want, place), "t=%d: rank %d is %s in the %s", at, rank, want, panel)
			}
		}
	}
}

// stateOf is the colour of a rank's dot.
func stateOf(run view.Run, rank int, at clock.Time) string {
	for _, f := range run.Report.Failed {
		if f.Rank == rank && f.Time <= at {
			return map[string]string{"crashed": "crash", "hung": "hang"}[f.Outcome.String()]
		}
	}
	if run.Report.Ranks[rank].Coloured <= at {
		return "coloured"
	}
	return "panel" // a dot that is not filled
}

func testZooming(t *testing.T, x *tab) {
	x.open(viewtest.OfToken(t, 6, "none"))
	whole := x.pixels()
	cx, cy := x.number("timeline.axes.x(8.5)"), x.number("timeline.axes.y(2.5)")
	band := "axes.left, laneY(2, 0) - 8, axes.width, 2" // above what is written into slices
	before := x.share("timeline", "send", band)
	x.wheel(cx, cy, -400)
	assert.InDelta(t, 8.5, x.number(fmt.Sprintf("timeline.axes.time(%f)", cx)), 0.01, "what is under the mouse stays there")
	assert.Greater(t, x.share("timeline", "send", band), 1.5*before, "slices are wider")
	x.do(chromedp.KeyEvent("0"))
	x.settle()
	assert.Equal(t, whole, x.pixels(), "as it was")
	x.click("#zoom-in")
	closer := x.number("timeline.axes.to - timeline.axes.from")
	x.do(chromedp.KeyEvent("-"))
	assert.Greater(t, x.number("timeline.axes.to - timeline.axes.from"), closer)
}

func testDragging(t *testing.T, x *tab) {
	x.open(viewtest.OfLine(t, "broadcast P=64"))
	for range 4 {
		x.do(chromedp.KeyEvent("+"))
	}
	x.settle()
	before := x.row("laneY(0, 0)")
	x.drag(500, 150, 400, 150)
	after := x.row("laneY(0, 0)")
	moved := edges(before)
	require.Greater(t, len(moved), 5)
	seen, left := 0, int(x.number("timeline.axes.left"))
	for _, at := range moved {
		switch {
		case at < left+110:
			seen++ // out of sight now
		case slices.ContainsFunc(edges(after), func(now int) bool { return now >= at-101 && now <= at-99 }):
			seen++
		}
	}
	assert.Greater(t, float64(seen), 0.8*float64(len(moved)), "what is drawn is 100 pixels further left")
}

// edges are where a line of pixels changes its colour.
func edges(row []int) (at []int) {
	for i := 1; i < len(row); i++ {
		if row[i] != row[i-1] {
			at = append(at, i)
		}
	}
	return at
}

func testHovering(t *testing.T, x *tab) {
	x.open(viewtest.OfToken(t, 6, "none"))
	require.EqualValues(t, 6, x.number("data.messages.count"))
	for i := range 6 {
		sent := clock.Time(4 * i) // one tick, two of the network, and one to receive it
		m := passed{i, (i + 1) % 6, sent, sent + 1, sent + 3, sent + 4}
		want := fmt.Sprintf("token%s\nfrom rank %d, t=%d to %d\nto rank %d, t=%d to %d", ifNot(i), m.from, m.sent, m.resumed, m.to, m.start, m.end)
		middle := fmt.Sprintf("(axes.x(%d) + axes.x(%d)) / 2, (laneY(%d, 0) + laneY(%d, 1)) / 2", m.resumed, m.start, m.from, m.to)
		for name, place := range map[string]string{
			"send":    fmt.Sprintf("axes.x(%d.5), laneY(%d, 0)", m.sent, m.from),
			"receive": fmt.Sprintf("axes.x(%d.5), laneY(%d, 1)", m.start, m.to),
			"line":    middle,
		} {
			x.hover("5, 5")
			require.Equal(t, "", x.text("#tooltip:not([hidden])"))
			require.Zero(t, x.share("timeline", "text", around(middle), "canvas.over"))
			x.hover(place)
			assert.Equal(t, want, x.text("#tooltip:not([hidden])"), "the %s of message %d", name, i)
			assert.Positive(t, x.share("timeline", "text", around(middle), "canvas.over"), "its line is bold")
		}
	}
}

// around is a small box about a place that lies off the line of the current time.
func around(place string) string { return "...box(" + place + ")" }

func ifNot(a int) string {
	if a == 0 {
		return ""
	}
	return fmt.Sprintf(", a=%d", a)
}

func testFates(t *testing.T, x *tab) {
	x.open(viewtest.OfToken(t, 6, "crash:3@send1"))
	x.hover("10, axes.y(3.5)")
	assert.Equal(t, "rank 3: crashed at t=12\ncoloured at t=12 by rank 2\ncrashes at t=12\nsent 0, received 1 messages", x.text("#tooltip"))
	x.hover("10, axes.y(0.5)")
	assert.Equal(t, "rank 0: finished at t=1\ncoloured at t=0\nsent 1, received 0 messages", x.text("#tooltip"))
	x.hover("10, axes.y(4.5)")
	assert.Contains(t, x.text("#tooltip"), "rank 4: deadlocked\nnever coloured\nwaits for ever in Recv(any from 3) since t=0: rank 3 crashed at t=12")
}
