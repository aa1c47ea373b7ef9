package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/internal/text"
)

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

// runProgress is that of runs that are made to be measured.
func runProgress(done, before, of int, began time.Time) search.Progress {
	return search.Progress{Runs: int64(done - before), Done: float64(done) / float64(of), Elapsed: time.Since(began), Violations: notCounted}
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
