package command

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/internal/text"
)

// bar shows progress: in one line of a terminal, which is drawn again and again, or else in
// a line of its own every now and then.
type bar struct {
	w        io.Writer
	name     commandName
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

// newBar returns a bar beside results.
func (a *app) newBar() *bar { return newBar(a.stderr, a.name) }

// newBar returns a bar for a writer. A dumb terminal is treated like a file: it cannot draw a
// line again.
func newBar(w io.Writer, name commandName) *bar {
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) && os.Getenv("TERM") != "dumb" {
		return newTerminalBar(w, name, func() int { return columnsOf(file) })
	}
	return &bar{w: w, name: name, interval: lineInterval, last: time.Now()}
}

func newTerminalBar(w io.Writer, name commandName, columns func() int) *bar {
	return &bar{w: w, name: name, columns: columns, interval: barInterval}
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
		fmt.Fprintf(b.w, "%s: %s\n", b.name, progressLine(p))
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
	fmt.Fprintf(b.w, "%s: %v\n", b.name, err)
}

// How many characters the bar itself has between its brackets.
const widestBar, narrowestBar = 30, 10

// barText reads like "[######........................]  20 %, 12345 runs, 20576/s, 0 violations, 3s left".
// If there is less room, first the bar gets smaller, then what matters least is left out.
func barText(p search.Progress, width int) string {
	fields := progressFields(p)
	for _, drop := range []string{"", "rate", "runs", "left", "violations"} {
		fields = slices.DeleteFunc(fields, func(f field) bool { return f.name == drop })
		text := "  " + joinFields(fields)
		if room := width - len(text) - len("[]"); room >= narrowestBar {
			return drawBar(p.Done, min(room, widestBar)) + text
		}
	}
	text := joinFields(fields)
	return text[:max(0, min(width, len(text)))]
}

func drawBar(done float64, width int) string {
	full := int(done * float64(width))
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", width-full) + "]"
}

// progressLine is all that is known, without a bar.
func progressLine(p search.Progress) string {
	return strings.TrimLeft(joinFields(progressFields(p)), " ")
}

// notCounted is the number of violations where nobody looks for any.
const notCounted = -1

// countRuns returns what shows how many runs are done that are made to be measured. Runs of an earlier time
// are done, but tell nothing about how long the others take.
func (b *bar) countRuns() func(done, of int) {
	began, before := time.Now(), -1
	return func(done, of int) {
		if before < 0 {
			before = done - 1
		}
		b.show(search.Progress{Runs: int64(done - before), Done: float64(done) / float64(of), Elapsed: time.Since(began), Violations: notCounted})
	}
}

// field is something worth knowing.
type field struct{ name, text string }

func joinFields(fields []field) string {
	var texts []string
	for _, f := range fields {
		texts = append(texts, f.text)
	}
	return strings.Join(texts, ", ")
}

func progressFields(p search.Progress) []field {
	fields := []field{
		{"percent", fmt.Sprintf("%3.0f %%", 100*p.Done)},
		{"runs", text.Count(p.Runs, "run")},
		{"rate", rate(p.Rate()) + "/s"},
	}
	if p.Violations != notCounted {
		fields = append(fields, field{"violations", text.Count(p.Violations, "violation")})
	}
	if left := p.Left(); left > 0 {
		fields = append(fields, field{"left", left.Round(time.Second).String() + " left"})
	}
	return fields
}
