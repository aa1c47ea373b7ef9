package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/viewtest"
	"github.com/mangrove-emu/mangrove/report/view"
)

// goTo lets the page show an instant.
func (x *tab) goTo(t int) {
	x.t.Helper()
	x.eval(fmt.Sprintf("mangrove.player.go(%d); mangrove.drawNow()", t))
}

// Rank 2 crashes, comes back and hangs: it is down twice, and up in between.
func testSecondFailure(t *testing.T, x *tab) {
	x.open(viewtest.OfToken(t, 3, "crash:2@t2,rejoin:2@t4,hang:2@t6"))
	down := []int{0, 0, 1, 1, 0, 0, 1, 1, 1}
	states := []string{"panel", "panel", "crash", "crash", "panel", "panel", "hang", "hang", "hang"}
	require.EqualValues(t, len(down)-1, x.number("data.end"))
	for at := range down {
		x.goTo(at)
		assert.Contains(t, x.text("#curves-note"), fmt.Sprintf("down %d", down[at]), "t=%d", at)
		for _, panel := range []string{"ring", "tree"} {
			place := fmt.Sprintf("%s.place(2)[0] - 2, %s.place(2)[1] - 2, 4, 4", panel, panel)
			assert.Positive(t, x.share(panel, states[at], place), "t=%d: rank 2 is %s in the %s", at, states[at], panel)
		}
	}
	var said []string
	for _, f := range []string{"crash:2@t2", "rejoin:2@t4", "hang:2@t6"} {
		if strings.Contains(x.text("#report"), f) {
			said = append(said, f)
		}
	}
	assert.Len(t, said, 3, "the schedule lists all of them")
}

// The token is sent every fourth tick, and takes four to be received. The notes beside the panels say what they show.
func testNotes(t *testing.T, x *tab) {
	run := viewtest.OfToken(t, 6, "none")
	x.open(run)
	for at, note := range map[int]struct{ sent, received, coloured, underWay int }{
		0: {1, 0, 1, 1}, 1: {0, 0, 1, 1}, 3: {0, 0, 1, 1}, 4: {1, 1, 2, 1}, 8: {1, 1, 3, 1}, 20: {1, 1, 6, 1}, 23: {0, 0, 6, 1}, 24: {0, 1, 6, 0},
	} {
		x.goTo(at)
		want := fmt.Sprintf("coloured %d sent %d received %d", note.coloured, note.sent, note.received)
		assert.Equal(t, want, strings.Join(strings.Fields(x.text("#curves-note")), " "), "t=%d", at)
		assert.Equal(t, fmt.Sprintf("%d under way", note.underWay), x.text("#ring-note"), "t=%d", at)
	}
	assert.Equal(t, "messages a tick", x.text("#curves-per"))
	assert.Equal(t, "", x.text("#tree-note"))
	assert.Equal(t, "", x.text("#left-out:not([hidden])"))

	run.Ranks, run.Limit = view.Range{First: 2, Last: 4}, 3
	x.open(run)
	assert.Equal(t, "ranks 2 to 4", x.text("#tree-note"))
	left := x.text("#left-out:not([hidden])")
	assert.Contains(t, left, "Ranks 2 to 4 of 6 are drawn")
	assert.Contains(t, left, "messages, notices and steps are not drawn: a page has room for 3.")

	x.open(viewtest.OfLine(t, "membership P=8 until=20000 faults=crash:5@t20"))
	assert.Equal(t, "messages in 21 ticks", x.text("#curves-per"))
}
