package main

import (
	"fmt"
	"strings"
)

// mutant is a mistake: a stretch of a file that another text takes the place of.
type mutant struct {
	file       string // from the root of the module
	source     []byte // of the file, without the mistake
	start, end int    // bytes of the source that are replaced
	text       string // what replaces them
	kind       string // what sort of mistake it is
}

// mutated is the file with the mistake.
func (m mutant) mutated() []byte {
	changed := append([]byte(nil), m.source[:m.start]...)
	changed = append(changed, m.text...)
	return append(changed, m.source[m.end:]...)
}

// line is where the mistake begins, from 1.
func (m mutant) line() int { return 1 + strings.Count(string(m.source[:m.start]), "\n") }

// before is the line, or lines, that the mistake changes.
func (m mutant) before() string { return wholeLines(m.source, m.start, m.end) }

// after is what they become.
func (m mutant) after() string { return wholeLines(m.mutated(), m.start, m.start+len(m.text)) }

// wholeLines are the lines that hold a stretch of a text, each without space around it.
func wholeLines(source []byte, start, end int) string {
	text := string(source)
	first := strings.LastIndex(text[:start], "\n") + 1
	last := len(text)
	if rest := strings.Index(text[end:], "\n"); rest >= 0 {
		last = end + rest
	}
	lines := strings.Split(text[first:last], "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

// String shows the mistake as a difference.
func (m mutant) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d: %s\n", m.file, m.line(), m.kind)
	for line := range strings.SplitSeq(m.before(), "\n") {
		fmt.Fprintf(&b, "\t- %s\n", line)
	}
	for line := range strings.SplitSeq(m.after(), "\n") {
		fmt.Fprintf(&b, "\t+ %s\n", line)
	}
	return b.String()
}
