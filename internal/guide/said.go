package guide

import (
	"regexp"
	"strings"
)

// Said is a command that was run.
type Said struct {
	Command string
	Shown   string // below it, in the document
	Output  string // what it has printed
	Status  int
}

// True reports whether the command prints what the document shows, but for what differs from one time to the next.
func (s *Said) True() bool { return Timeless(s.Shown) == Timeless(s.Output) }

// Corrected is a document that shows what the command has printed.
func (s *Said) Corrected(document string) string {
	return strings.Replace(document, "$ "+s.Command+"\n"+s.Shown, "$ "+s.Command+"\n"+s.Output, 1)
}

var (
	durations = regexp.MustCompile(`\d+\.\d+s|\(cached\)`)
	measured  = regexp.MustCompile(`(?m)^measured: .*$`)
	// onProcesses are times of a run on processes, which nobody can foretell.
	onProcesses = regexp.MustCompile(`t=\d+ \([^)]*\)|t=\d+`)
	behind      = regexp.MustCompile(`(?m)^late  .*\n`)
)

// Timeless is a text without what is measured, which is what outputs of the same command have in common.
func Timeless(text string) string {
	text = durations.ReplaceAllString(text, "0.00s")
	text = measured.ReplaceAllString(text, "measured: ...")
	if strings.Contains(text, "\nprocesses  ") {
		text = behind.ReplaceAllString(onProcesses.ReplaceAllString(text, "t=..."), "")
	}
	return text
}
