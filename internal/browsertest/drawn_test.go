package browsertest

import (
	_ "embed"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/viewtest"
	"github.com/mangrove-emu/mangrove/report/view"
)

var update = flag.Bool("update", false, "write testdata/drawn.golden anew; then look at the pages")

//go:embed recorder.js
var recorder string

// panels are the canvases of a page, bottom up.
var panels = []string{"timeline", "timeline over", "tree", "ring", "curves"}

// drawing returns what is drawn on each canvas after something was done to the page.
func (x *tab) drawing(js string) map[string][]string {
	x.t.Helper()
	x.eval(js + "; drawn = {}; mangrove.drawNow(); window.kept = drawn; drawn = {}") // and not what the next frame draws
	return evaluate[map[string][]string](x, "kept")
}

// testDrawing compares every stroke with what it was when somebody looked at the pages. Of most of them only sums are kept.
func testDrawing(t *testing.T, x *tab) {
	var b strings.Builder
	some := viewtest.OfLine(t, "broadcast P=300 faults=crash:~20,hang:~9@t12,slow:~5x3@t3")
	some.Ranks = view.Range{First: 40, Last: 89}
	for i, page := range []struct {
		run   view.Run
		whole bool
	}{
		{viewtest.OfToken(t, 5, "crash:3@send1,slow:1x2@t3"), true},
		{viewtest.OfToken(t, 6, "cut:2|3@t0"), false},
		{viewtest.OfToken(t, 3, "crash:2@t2,rejoin:2@t4,hang:2@t6"), false},
		{viewtest.OfLine(t, "broadcast P=24 tree=lame faults=crash:3@send2,hang:9@t12,crash:5"), false},
		{viewtest.OfLine(t, "collective op=barrier P=7 faults=crash:3@t5"), false},
		{viewtest.OfLine(t, "membership P=9 faults=crash:5@t100 until=900"), false},
		{viewtest.OfLine(t, "broadcast P=12 tick=100ns repeat=3"), false},
		{viewtest.OfLine(t, "reduce P=40 f=2 faults=crash:7,crash:9@t4"), false},
		{some, false},
		{viewtest.OfLine(t, "broadcast P=12 faults=late:0@send1+20,lose:0@send2,twice:4@send1+5,cut:3>*@t4,mend:3|*@t9"), false},
		{viewtest.OfLine(t, "broadcast P=12 nodes=3 L=9 o=3 Lin=1 oin=1 noise=20:6 jitter=uniform:0..4"), false},
		{viewtest.OfLog(t, 4, clock.Disk{Write: 2, Sync: 6, Read: 1}, "crash:2@sync1,rejoin:2@t30"), false},
		{viewtest.OfLog(t, 4, clock.Disk{}, "crash:2@before-sync1,rejoin:2@t30"), false},
		{viewtest.OfHistory(t), false},
	} {
		x.open(page.run)
		x.eval(recorder)
		for _, act := range []string{
			"mangrove.player.go(0)", "mangrove.player.go(11)", "mangrove.timeline.chosen = {what: 'message', i: 1}",
			"mangrove.timeline.chosen = {what: 'rank', row: 2}", "mangrove.timeline.axes.zoom(3, 200)", "mangrove.timeline.axes.zoomRows(2, 100)",
			"mangrove.timeline.axes.move(120, 60)", "mangrove.player.go(mangrove.data.end)",
		} {
			drawn := x.drawing(act)
			fmt.Fprintf(&b, "page %d: %s\n", i, act)
			for _, panel := range panels {
				text := strings.Join(drawn[panel], "\n")
				if page.whole && act == "mangrove.player.go(11)" {
					fmt.Fprintf(&b, "%s\n", text)
				}
				h := fnv.New64a()
				h.Write([]byte(text))
				fmt.Fprintf(&b, "%s: %d calls, sum %016x\n", panel, len(drawn[panel]), h.Sum64())
			}
		}
	}
	requireGolden(t, "testdata/drawn.golden", b.String())
}

func requireGolden(t *testing.T, file, text string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), text)
}
