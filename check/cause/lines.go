package cause

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
)

// Of a long story, so many lines are shown from its beginning and from its end. Of what changes without faults, so many are.
const (
	firstLines  = 4
	lastLines   = 3
	changeLines = 6
)

// Lines are an explanation in words, a few lines whatever it is about.
func (x *Explanation) Lines() []string {
	var lines []string
	if len(x.Because) > 0 || x.Led != "" {
		heading := "because:"
		if x.Beside != "" {
			heading = fmt.Sprintf("because, compared with the run %s:", x.Beside)
		}
		lines = append(lines, heading)
		for _, text := range x.story() {
			lines = append(lines, "    "+text)
		}
	}
	if x.Led != "" {
		lines = append(lines, "    "+x.Led)
	}
	lines = append(lines, x.changes()...)
	if x.Note != "" {
		lines = append(lines, x.Note)
	}
	return lines
}

// changes are the lines of what changes, those that become the same in one if there are many.
func (x *Explanation) changes() (lines []string) {
	all := x.Without
	if len(all) > changeLines {
		all = together(all)
	}
	for i, c := range all {
		if i == changeLines {
			return append(lines, fmt.Sprintf("and %d more such runs", len(all)-i))
		}
		lines = append(lines, c.String())
	}
	return lines
}

// together puts runs without a fault in one line that become the same.
func together(all []Change) (some []Change) {
	whats := make(map[string][]string) // of what they become
	for _, c := range all {
		if what, alone := strings.CutPrefix(c.What, "without "); alone {
			whats[c.Becomes] = append(whats[c.Becomes], what)
		}
	}
	for _, c := range all {
		alike := whats[c.Becomes]
		if !strings.HasPrefix(c.What, "without ") || len(alike) == 1 {
			some = append(some, c)
			continue
		}
		if alike == nil {
			continue // it is in a line before
		}
		whats[c.Becomes] = nil
		c.What = "without one of " + strings.Join(alike[:min(len(alike), mostNamed)], ", ")
		if more := len(alike) - mostNamed; more > 0 {
			c.What += fmt.Sprintf(" and %d more", more)
		}
		some = append(some, c)
	}
	return some
}

// story are the lines of the story, without the middle of a long one.
func (x *Explanation) story() (lines []string) {
	left := len(x.Because) - firstLines - lastLines
	for i, s := range x.Because {
		switch {
		case left <= 1 || i < firstLines || i >= firstLines+left:
			lines = append(lines, s.Text)
		case i == firstLines:
			lines = append(lines, fmt.Sprintf("... and so on, %d times, to rank %d", left, x.Because[i+left-1].Rank))
		}
	}
	return lines
}

// MarshalJSON has lists without elements as [].
func (x *Explanation) MarshalJSON() ([]byte, error) {
	type plain Explanation
	all := plain(*x)
	if all.Because == nil {
		all.Because = []Step{}
	}
	if all.Without == nil {
		all.Without = []Change{}
	}
	return json.Marshal(all)
}

// MarshalJSON has the instant of a step, if something happened then, and the fault.
func (s Step) MarshalJSON() ([]byte, error) {
	line := struct {
		Text  string      `json:"text"`
		Rank  int         `json:"rank"`
		Time  *clock.Time `json:"t,omitempty"`
		Fault string      `json:"fault,omitempty"`
	}{Text: s.Text, Rank: s.Rank}
	if s.Time != clock.Never {
		line.Time = &s.Time
	}
	if s.Fault != nil {
		line.Fault = s.Fault.String()
	}
	return json.Marshal(line)
}
