package browsertest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/viewtest"
	"github.com/mangrove-emu/mangrove/report/view"
)

// testFormats asks the functions that make words of numbers.
func testFormats(t *testing.T, x *tab) {
	x.open(viewtest.OfToken(t, 2, "none"))
	program, err := os.ReadFile("../../report/view/assets/format.js")
	require.NoError(t, err)
	for call, want := range map[string]string{
		`whole(1.5)`: "2", `whole(1.4)`: "1",
		`grouped(999)`: "999", `grouped(1000)`: "1 000", `grouped(1234567)`: "1 234 567", `grouped(123456)`: "123 456",
		`realTime(5, 0)`: "", `realTime(64, 100)`: "6.4 us", `realTime(5, 1)`: "5 ns", `realTime(1000, 1)`: "1 us", `realTime(999, 1)`: "999 ns",
		`realTime(3, 1e6)`: "3 ms", `realTime(2500, 1e6)`: "2.5 s", `realTime(12345, 1)`: "12.345 us", `realTime(0, 1)`: "0 ns",
		`instant(64, 0)`: "t=64", `instant(64, 100)`: "t=64 (6.4 us)", `span(3, 5, 0)`: "t=3 to 5", `span(3, 5, 100)`: "t=3 to 5 (500 ns)",
		`roundStep(0)`: "1", `roundStep(1)`: "1", `roundStep(1.1)`: "2", `roundStep(2)`: "2", `roundStep(2.1)`: "5", `roundStep(5)`: "5",
		`roundStep(5.1)`: "10", `roundStep(10)`: "10", `roundStep(11)`: "20", `roundStep(450)`: "500", `roundStep(501)`: "1000", `roundStep(NaN)`: "1",
	} {
		assert.Equal(t, want, evaluate[string](x, fmt.Sprintf("(() => { %s; return String(%s); })()", program, call)), call)
	}
}

// testReport reads the words about a run, and the legend.
func testReport(t *testing.T, x *tab) {
	x.open(viewtest.OfToken(t, 6, "crash:3@send1,slow:1x2@t3,hang:0@send9"))
	assert.Equal(t, []string{
		"crash:3@send1 t=14", "slow:1x2@t3", "hang:0@send9 never fired",
		"rank 4 in Recv(any from 3) since t=0: rank 3 crashed at t=14", "rank 5 in Recv(any from 4) since t=0: rank 3 crashed at t=14",
	}, x.texts("#report li"))
	assert.Equal(t, []string{"send", "receive", "coloured", "crash", "lost", "slow", "waits for ever"}, x.texts("#legend span"))
	assert.Empty(t, x.text("#verdict"), "nothing is promised")
	for i, at := range []float64{14, 3, 0} { // the third never happened, so the next button is that of rank 4
		x.eval(fmt.Sprintf(`document.querySelectorAll("#report li button")[%d].click()`, i))
		assert.Equal(t, at, x.number("player.now"), "button %d", i)
	}
	for line, want := range map[string]struct {
		verdict, class string
		signs          string
		faults, legend []string
	}{
		"broadcast P=8": {"✓ what was promised held", "held", "✓✓✓✓✓✓", []string{}, []string{"send", "receive", "coloured"}},
		"broadcast P=8 correction=none faults=crash:1": {"✕ 2 of 6 guarantees broken", "broken", "✕✕✓✓✓✓", []string{"crash:1@t0"},
			[]string{"send", "receive", "coloured", "crash", "lost", "waits for ever"}},
		"broadcast P=8 correction=none faults=cut:2|*@t0,hang:7@t1": {"– nothing could be judged", "not-claimed", "––✓✓✓✓", []string{"cut:2|*@t0", "hang:7@t1"},
			[]string{"send", "receive", "coloured", "lost", "hang", "links cut", "waits for ever"}},
		"broadcast P=8 correction=none faults=late:0@send1+20,lose:0@send2,twice:0@send3+5,cut:3>*@t4,mend:3|*@t9": {"– nothing could be judged", "not-claimed", "––✓✓✓✓",
			[]string{"late:0@send1+20 t=1", "lose:0@send2 t=2", "twice:0@send3+5 t=3", "cut:3>*@t4", "mend:3|*@t9"},
			[]string{"send", "receive", "coloured", "lost", "late", "once more", "links cut", "links mended", "waits for ever"}},
		"reduce P=8 f=1 faults=crash:1,crash:2,crash:3": {"– nothing could be judged", "not-claimed", "––✓✓", []string{"crash:1@t0", "crash:2@t0", "crash:3@t0"},
			[]string{"send", "receive", "crash", "lost"}},
	} {
		x.open(viewtest.OfLine(t, line))
		assert.Equal(t, want.verdict, x.text("#verdict."+want.class), line)
		assert.Equal(t, want.signs, strings.ReplaceAll(strings.Join(x.texts("#report ul:first-of-type strong"), ""), " ", ""), line)
		assert.Equal(t, want.legend, x.texts("#legend span"), line)
		assert.Equal(t, want.faults, x.texts("#report li:not(:has(strong))")[:len(want.faults)], line)
	}
}

// texts are those of all elements that a selector chooses.
func (x *tab) texts(selector string) []string {
	x.t.Helper()
	return evaluate[[]string](x, fmt.Sprintf(`Array.from(document.querySelectorAll(%q), e => e.textContent)`, selector))
}

// list is a list of numbers of the page.
func (x *tab) list(js string) []int {
	x.t.Helper()
	return evaluate[[]int](x, inPage("Array.from("+js+")"))
}

// testTree looks at who is below whom, and where.
func testTree(t *testing.T, x *tab) {
	run := viewtest.OfToken(t, 6, "none")
	run.Ranks = view.Range{First: 2, Last: 4}
	x.open(run)
	assert.Equal(t, []int{4, 0, 1, -1, 3}, x.list("tree.parent"), "ranks 2, 3 and 4, then 0 and 1, which are above them")
	assert.Equal(t, []int{2, 3, 4, 0, 1}, x.list("tree.depth"))
	assert.Equal(t, []int{3}, x.list("tree.roots"))
	assert.EqualValues(t, 1, x.number("tree.columns"))
	assert.EqualValues(t, 4, x.number("tree.levels"))

	x.open(viewtest.OfToken(t, 6, "crash:3@send1"))
	assert.Equal(t, []int{4, 5}, x.list("tree.unreached"))
	assert.Equal(t, []int{0, 1, 2, 3, 5, 5}, x.list("tree.depth"), "those that nothing reached stand below")
	assert.EqualValues(t, 5, x.number("tree.levels"))
	assert.Equal(t, []int{-25, 25}, x.list("tree.column.slice(4).map(c => 100 * c)"), "side by side")

	x.open(viewtest.OfLine(t, "broadcast P=16 correction=none"))
	assert.EqualValues(t, 8, x.number("tree.columns"), "half of a binomial tree are leaves")
	assert.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7}, x.list("tree.column.filter((_, i) => !tree.children[i].length).sort()"))
	assert.EqualValues(t, 15, x.number("tree.parent.reduce((n, p, i) => n + (p >= 0 && p === data.ranks.by[i]), 0)"))
	assert.EqualValues(t, 8, x.number(`tree.children.reduce((n, below, i) => n +
		(below.length > 0 && tree.column[i] === (tree.column[below[0]] + tree.column[below[below.length - 1]]) / 2), 0)`), "others stand above the middle of those below")
	assert.EqualValues(t, 16, x.number("tree.depth.reduce((n, depth, i) => n + (depth === (i ? tree.depth[tree.parent[i]] + 1 : 0)), 0)"))
}

// testTellings hovers over marks and over messages that went wrong.
func testTellings(t *testing.T, x *tab) {
	said := func(place string) string {
		x.hover("5, 5")
		x.hover(place)
		return x.text("#tooltip:not([hidden])")
	}
	x.open(viewtest.OfToken(t, 6, "crash:3@send1,slow:1x2@t3"))
	assert.Equal(t, "rank 3 crashes\nt=14", said("axes.x(14), axes.y(3.5)"))
	assert.Equal(t, "rank 1 becomes 2 times as slow\nt=3", said("axes.x(3), axes.y(1.5)"))
	assert.Contains(t, said("10, axes.y(1.5)"), "\nbecomes 2 times as slow at t=3\n")
	assert.Contains(t, said("axes.x(14), axes.y(4.5)"), "rank 4: deadlocked", "the mark of those who wait for ever")
	x.open(viewtest.OfToken(t, 6, "crash:3"))
	assert.Equal(t, "token, a=2\nfrom rank 2, t=8 to 9\nto rank 3, lost there at t=11: it had crashed", said("axes.x(8.5), laneY(2, 0)"))
	x.open(viewtest.OfToken(t, 6, "cut:2|3@t0"))
	assert.Equal(t, "token, a=2\nfrom rank 2, t=8 to 9\nto rank 3, lost on a cut link", said("axes.x(8.5), laneY(2, 0)"))
	x.open(viewtest.OfToken(t, 3, "crash:2@t2,rejoin:2@t4,hang:2@t6"))
	assert.Equal(t, "rank 2 begins again\nt=4", said("axes.x(4), axes.y(2.5)"))
	assert.Equal(t, "rank 2 hangs\nt=6", said("axes.x(6), axes.y(2.5)"))
	x.open(viewtest.OfLine(t, "collective op=barrier P=4 faults=crash:3@t5"))
	assert.Regexp(t, `^notice of rank 3\nto rank \d, t=\d+ to \d+$`,
		said("(axes.x(data.notices.start[0]) + axes.x(data.notices.end[0])) / 2, laneY(data.notices.rank[0], 1)"))
	assert.Regexp(t, `^step \w+\nrank \d, t=\d+`, said("axes.x(data.steps.time[0]), axes.y(data.steps.rank[0]) + 2"))
}

// testStepping goes from instant to instant.
func testStepping(t *testing.T, x *tab) {
	x.open(viewtest.OfToken(t, 6, "none"))
	for _, step := range []struct {
		from int
		key  string
		want float64
	}{{5, ">", 8}, {8, ">", 12}, {5, "<", 4}, {4, "<", 0}, {0, "<", 0}, {24, ">", 24}, {5, "Home", 0}, {5, "End", 24}, {5, ".", 6}, {5, ",", 4}, {24, ".", 24}, {0, ",", 0}} {
		x.goTo(step.from)
		x.eval(fmt.Sprintf("mangrove.player.key({key: %q})", step.key))
		assert.Equal(t, step.want, x.number("player.now"), "%s at %d", step.key, step.from)
	}
	x.click("#to-start")
	assert.Zero(t, x.number("player.now"))
	x.click("#step")
	assert.EqualValues(t, 1, x.number("player.now"))
	x.click("#step-back")
	assert.Zero(t, x.number("player.now"))
	x.click("#to-end")
	assert.EqualValues(t, 24, x.number("player.now"))
	x.do(chromedp.KeyEvent(" "))
	assert.Less(t, x.number("player.now"), 24.0, "at the end it is played from the beginning")
	x.do(chromedp.KeyEvent(" "))
}

// testAxes looks at what is marked and kept in sight.
func testAxes(t *testing.T, x *tab) {
	x.open(viewtest.OfToken(t, 6, "none"))
	assert.Equal(t, []int{0, 2, 4}, x.list("axes.marks()")[:3])
	assert.Equal(t, []int{0, 6}, x.list("axes.rows()"))
	assert.EqualValues(t, 3, x.number("axes.row(axes.y(3) + 1)"))
	assert.InDelta(t, 7, x.number("axes.time(axes.x(7))"), 1e-9)
	assert.Less(t, x.number("axes.x(24)"), x.number("axes.left + axes.width"), "all of the run is in sight")
	assert.Greater(t, x.number("axes.x(0)"), x.number("axes.left"))
	x.eval("mangrove.timeline.axes.move(-1e6, -1e6)")
	assert.InDelta(t, -0.5, x.number("axes.from"), 1e-9, "it ends where the run begins")
	for range 3 {
		x.eval("mangrove.timeline.axes.zoom(2, mangrove.timeline.axes.x(0))")
	}
	assert.InDelta(t, -0.5/8, x.number("axes.from"), 1e-9, "0 stays where it is")
	assert.InDelta(t, 25.0/8, x.number("axes.to - axes.from"), 1e-9)
	assert.EqualValues(t, 0, x.number("+axes.reveal(1)"), "it is in sight")
	assert.EqualValues(t, 1, x.number("+axes.reveal(12)"))
	assert.InDelta(t, 12-0.2*25/8, x.number("axes.from"), 1e-9)
	assert.EqualValues(t, 1, x.number("+axes.reveal(5)"))
	assert.InDelta(t, 5-0.1*25/8, x.number("axes.from"), 1e-9)
}
