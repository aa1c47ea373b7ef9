package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/mangrove-emu/mangrove/check/search"
)

// bar shows progress: in one line of a terminal, which is drawn again and again, or else in
// a line of its own every now and then.
type bar struct {
	w        io.Writer
	columns  func() int // of the terminal; nil if it is none
	interval time.Duration

	mu     sync.Mutex // guards what follows: a search tells progress and saves at the same time
	last   time.Time
	shown  bool
	warned bool
}

const (
	barInterval  = 200 * time.Millisecond
	lineInterval = 10 * time.Second
)

// newBar returns a bar for a writer. A dumb terminal is treated like a file: it cannot draw a
// line again.
func newBar(w io.Writer) *bar {
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) && os.Getenv("TERM") != "dumb" {
		return newTerminalBar(w, func() int { return columnsOf(file) })
	}
	return &bar{w: w, interval: lineInterval, last: time.Now()}
}

func newTerminalBar(w io.Writer, columns func() int) *bar {
	return &bar{w: w, columns: columns, interval: barInterval}
}

// columnsOf is how wide a terminal is just now: users resize it.
func columnsOf(file *os.File) int {
	const usual = 80
	if columns, _, err := term.GetSize(int(file.Fd())); err == nil && columns > 0 {
		return columns
	}
	return usual
}

// show shows the progress, if it is time.
func (b *bar) show(p search.Progress) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if time.Since(b.last) < b.interval {
		return
	}
	b.last = time.Now()
	if b.columns == nil {
		fmt.Fprintf(b.w, "mangrove: %s\n", progressLine(p))
		return
	}
	b.shown = true
	// The last column stays free: some terminals go to the next line as soon as it is filled.
	fmt.Fprintf(b.w, "\r%s\x1b[K", barText(p, b.columns()-1))
}

// clear takes the bar off the screen.
func (b *bar) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wipe()
}

func (b *bar) wipe() {
	if b.shown {
		fmt.Fprint(b.w, "\r\x1b[K")
		b.shown = false
	}
}

// warn prints the first of some errors that do not end the search.
func (b *bar) warn(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil || b.warned {
		return
	}
	b.warned = true
	b.wipe()
	fmt.Fprintf(b.w, "mangrove: %v\n", err)
}
