package faults

import (
	"strconv"
	"strings"
)

// none is the text of the empty schedule.
const none = "none"

// String prints the schedule in its canonical form, which Parse reads back exactly. The
// empty schedule is "none".
func (s Schedule) String() string {
	if len(s) == 0 {
		return none
	}
	items := make([]string, len(s))
	for i, f := range s {
		items[i] = f.String()
	}
	return strings.Join(items, ",")
}

// String prints the fault as an item of a schedule.
func (f Fault) String() string {
	text := f.Kind.String() + ":" + f.ranks()
	if f.OfLinks() || f.Right != "" {
		text += f.way() + string(f.Right)
	}
	// A factor where none belongs is printed, too: an error about it should show it.
	if f.Kind == Slow || f.Factor != 0 {
		text += "x" + strconv.Itoa(f.Factor)
	}
	text += "@" + f.At.String()
	if f.Until != 0 {
		text += spanMark + OnTime(f.Until).String()
	}
	if f.Kind.Delays() || f.Delay != 0 {
		text += "+" + strconv.FormatInt(int64(f.Delay), 10)
	}
	if f.Kept != "" {
		text += keptMark + string(f.Kept)
	}
	return text
}

// spanMark stands between the two ends of a time.
const spanMark = ".."

// way is the mark between the two sides of links.
func (f *Fault) way() string {
	if f.OneWay {
		return ">"
	}
	return "|"
}

func (f Fault) ranks() string {
	switch {
	case f.Select == Count:
		return "~" + strconv.Itoa(f.Number)
	case f.Select == Rate:
		return f.Rate.String()
	case f.Select != One:
		return "select(" + strconv.Itoa(int(f.Select)) + ")"
	case f.OfLinks():
		return string(f.Left)
	}
	return strconv.Itoa(f.Rank)
}

// MarshalText prints the schedule as String does. It refuses one that UnmarshalText could
// not read back.
func (s Schedule) MarshalText() ([]byte, error) {
	if err := s.wellFormed(); err != nil {
		return nil, err
	}
	return []byte(s.String()), nil
}

// UnmarshalText reads what Parse reads. On an error it leaves the schedule as it was.
func (s *Schedule) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err != nil {
		return err
	}
	*s = parsed
	return nil
}
