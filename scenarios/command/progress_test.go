package command

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mangrove-emu/mangrove/check/search"
)

var someProgress = search.Progress{Runs: 12345, Violations: 1, Done: 0.2, Elapsed: 2 * time.Second}

// The bar fits into any terminal: first it gets smaller itself, then it says less.
func TestBarFitsIntoTheTerminal(t *testing.T) {
	for width, want := range map[int]string{
		200: "[######........................]   20 %, 12345 runs, 6172/s, 1 violation, 8s left",
		79:  "[#####.......................]   20 %, 12345 runs, 6172/s, 1 violation, 8s left",
		60:  "[###..............]   20 %, 12345 runs, 1 violation, 8s left",
		39:  "[###..............]   20 %, 1 violation",
		20:  "[##.........]   20 %",
		10:  " 20 %",
		3:   " 20",
		0:   "",
		-1:  "",
	} {
		got := barText(someProgress, width)
		assert.Equal(t, want, got, "width %d", width)
	}
	for width := range 120 {
		assert.LessOrEqual(t, len(barText(someProgress, width)), width)
	}
	assert.True(t, strings.HasPrefix(barText(search.Progress{Done: 1}, 79), "["+strings.Repeat("#", 30)+"]"))
}

func TestProgressSaysNoTimeIfNoneIsKnown(t *testing.T) {
	assert.Equal(t, "0 %, 1 run, 0.5/s, 0 violations", progressLine(search.Progress{Runs: 1, Elapsed: 2 * time.Second}))
	assert.Equal(t, "20 %, 12345 runs, 6172/s, 1 violation, 8s left", progressLine(someProgress))
}

// A terminal has a line that is drawn again, as wide as the terminal is at that time.
func TestBarIsForTerminals(t *testing.T) {
	var b bytes.Buffer
	columns := 100
	bar := newTerminalBar(&b, ours, func() int { return columns })
	bar.show(someProgress)
	bar.show(search.Progress{Done: 0.6}) // too soon
	bar.last, columns = time.Time{}, 40
	bar.show(someProgress)
	bar.warn(errors.New("disk full"))
	bar.warn(errors.New("disk full"))
	bar.clear()
	assert.Equal(t, "\r"+barText(someProgress, 99)+"\x1b[K\r"+barText(someProgress, 39)+"\x1b[K\r\x1b[K"+"mangrove: disk full\n", b.String())
}

// Elsewhere a line is printed now and then, without anything that only a terminal understands.
func TestProgressInAFileIsPlainLines(t *testing.T) {
	var b bytes.Buffer
	bar := newBar(&b, ours)
	bar.show(someProgress)
	bar.clear()
	assert.Empty(t, b.String(), "not yet")
	bar.last = time.Now().Add(-time.Minute)
	bar.show(someProgress)
	bar.show(someProgress)
	bar.clear()
	assert.Equal(t, "mangrove: 20 %, 12345 runs, 6172/s, 1 violation, 8s left\n", b.String())
}

// A terminal that cannot draw a line again gets plain lines, as a file does.
func TestADumbTerminalGetsPlainLines(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("this system has no terminals to open:", err)
	}
	defer terminal.Close()
	for _, c := range []struct {
		term     string
		interval time.Duration
	}{{"xterm", barInterval}, {"", barInterval}, {"dumb", lineInterval}} {
		t.Setenv("TERM", c.term)
		assert.Equal(t, c.interval, newBar(terminal, ours).interval, "TERM=%s", c.term)
	}
}
