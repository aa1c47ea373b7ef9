package browsertest

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/viewtest"
	"github.com/mangrove-emu/mangrove/report/view"
)

func testManyEvents(t *testing.T, x *tab) {
	run := viewtest.OfLine(t, "broadcast P=1024 repeat=16")
	x.open(run)
	require.Greater(t, x.number("data.messages.count + data.steps.count"), 100_000.0)
	fastest := math.Inf(1)
	for range 12 {
		fastest = min(fastest, x.number("drawNow()"))
	}
	t.Logf("%d messages: a frame takes %.1f ms, %.0f rectangles, %.0f lines", run.Report.Messages, fastest, x.number("timeline.stats.rectangles"), x.number("timeline.stats.lines"))
	assert.Less(t, fastest, 250.0, "milliseconds; usually 5")
	assert.LessOrEqual(t, x.number("timeline.stats.lines"), 2500.0)
	assert.LessOrEqual(t, x.number("timeline.stats.rectangles"), x.number("3 * timeline.axes.width * timeline.axes.height"), "no more than there are pixels for")
	assert.Contains(t, x.text("#detail"), "messages has a line; zoom in for all")
	assert.Positive(t, x.share("timeline", "receive", ""))
	for range 25 {
		x.do(chromedp.KeyEvent("+"))
	}
	x.settle()
	assert.Less(t, x.number("timeline.stats.rectangles"), 60_000.0)
}

func testLargeRun(t *testing.T, x *tab) {
	run := viewtest.OfLine(t, "broadcast P=8192 faults=crash:1005,crash:~80")
	run.Ranks = view.Range{First: 1000, Last: 1255}
	x.open(run)
	assert.Contains(t, x.text("#left-out"), "Ranks 1000 to 1255 of 8192 are drawn")
	x.eval("mangrove.player.go(mangrove.data.end); mangrove.drawNow()")
	assert.Contains(t, x.text("#curves-note"), "coloured 8 111")
	assert.Positive(t, x.share("curves", "coloured", "curves.x(data.end) - 20, curves.top, 20, 10"), "nearly all in the end")
	assert.Zero(t, x.share("curves", "coloured", "curves.x(2), curves.top, 10, curves.tall / 2"), "few at first")
	assert.Positive(t, x.share("timeline", "send", ""))
	assert.Positive(t, x.share("tree", "coloured", ""))
	assert.Positive(t, x.share("timeline", "crash", "axes.x(0) - 4, axes.y(1005 - 1000 + 0.5) - 4, 8, 8"), "rank 1005 is down")
}

func testDark(t *testing.T, x *tab) {
	x.scheme("dark")
	x.open(viewtest.OfToken(t, 6, "none"))
	assert.Equal(t, "#1a1e22", x.colour("panel"))
	assert.Equal(t, "#56b4e9", x.colour("send"))
	assert.Greater(t, x.share("timeline", "send", "axes.x(0) + 3, laneY(0, 0) - 2, axes.x(1) - axes.x(0) - 6, 4"), 0.3)
	assert.Greater(t, x.share("timeline", "panel", "axes.x(0) + 3, axes.y(5), axes.x(8) - axes.x(0), axes.tall"), 0.9)
}

func testWindows(t *testing.T, x *tab) {
	for _, size := range [][2]int64{{1280, 800}, {1920, 1080}, {700, 900}, {400, 800}} {
		x.do(chromedp.EmulateViewport(size[0], size[1]))
		x.open(viewtest.OfLine(t, "broadcast P=64 tree=lame faults=crash:3@send2,hang:9@t12"))
		assert.LessOrEqual(t, x.value("document.documentElement.scrollWidth"), float64(size[0]), "nothing sticks out at the right of %v", size)
		if size[0] > 900 {
			assert.LessOrEqual(t, x.value("document.documentElement.scrollHeight"), float64(size[1]), "all fits into %v", size)
		}
		for _, panel := range []string{"timeline", "tree", "ring", "curves"} {
			assert.Greater(t, x.value(fmt.Sprintf("document.querySelector('#%s canvas').height", panel)), 100.0)
			colour := map[string]string{"timeline": "receive"}[panel]
			assert.Positive(t, x.share(panel, cmp.Or(colour, "coloured"), ""), "%s in %v", panel, size)
		}
	}
}

func testProtocols(t *testing.T, x *tab) {
	for _, line := range append(viewtest.Lines, "deadlocked") {
		run := view.Run{}
		if line == "deadlocked" {
			run = viewtest.OfToken(t, 4, "crash:0")
		} else {
			run = viewtest.OfLine(t, line)
		}
		x.open(run)
		x.eval("mangrove.player.go(mangrove.data.end); mangrove.drawNow()")
		if run.Report.Messages > 0 {
			assert.Positive(t, x.share("timeline", "send", ""), line)
		}
		assert.Equal(t, strings.Contains(x.text("#verdict"), "broken"), strings.HasPrefix(x.text("#verdict"), "✕"), line)
	}
}
