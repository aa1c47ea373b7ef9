package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mangrove-emu/mangrove/search"
)

// bar shows progress in one line of a terminal. Elsewhere it shows nothing.
type bar struct {
	w     io.Writer
	last  time.Time
	shown bool
}

// newBar returns a bar for a writer that is a terminal, and one that stays silent otherwise.
func newBar(w io.Writer) *bar {
	if file, ok := w.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return newTerminalBar(w)
		}
	}
	return &bar{}
}

func newTerminalBar(w io.Writer) *bar { return &bar{w: w} }

const (
	barWidth    = 30
	barInterval = 200 * time.Millisecond
)

// show draws the bar anew, if it is time.
func (b *bar) show(p search.Progress) {
	if b.w == nil || time.Since(b.last) < barInterval {
		return
	}
	b.last, b.shown = time.Now(), true
	fmt.Fprintf(b.w, "\r%s\x1b[K", barText(p))
}

// barText reads like "[######........................]  20 %  12345 runs, 20576/s, 0 violations, 3s left".
func barText(p search.Progress) string {
	full := int(p.Done * barWidth)
	rate := float64(p.Runs) / max(p.Elapsed.Seconds(), 1e-3)
	return fmt.Sprintf("[%s%s] %3.0f %%  %d runs, %.0f/s, %d violations, %v left",
		strings.Repeat("#", full), strings.Repeat(".", barWidth-full), 100*p.Done, p.Runs, rate, p.Violations, p.Left().Round(time.Second))
}

// clear takes the bar off the screen.
func (b *bar) clear() {
	if b.shown {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
}
