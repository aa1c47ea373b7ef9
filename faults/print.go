package faults

import "strconv"

// none is the text of the empty schedule.
const none = "none"

// String prints the schedule in its canonical form, which Parse reads back exactly. The
// empty schedule is "none".
func (s Schedule) String() string {
	if len(s) == 0 {
		return none
	}
	var b []byte
	for i, f := range s {
		if i > 0 {
			b = append(b, ',')
		}
		b = f.appendTo(b)
	}
	return string(b)
}

// String prints the fault as an item of a schedule.
func (f Fault) String() string { return string(f.appendTo(nil)) }

func (f Fault) appendTo(b []byte) []byte {
	b = append(b, f.Kind.String()...)
	b = append(b, ':')
	b = f.appendRanks(b)
	if f.Kind == Cut {
		b = append(append(b, '|'), f.Right...)
	}
	// A factor where none belongs is printed, too: an error about it should show it.
	if f.Kind == Slow || f.Factor != 0 {
		b = append(b, 'x')
		b = strconv.AppendInt(b, int64(f.Factor), 10)
	}
	b = append(b, '@')
	return f.At.appendTo(b)
}

func (f Fault) appendRanks(b []byte) []byte {
	switch f.Select {
	case One:
		if f.Kind == Cut {
			return append(b, f.Left...)
		}
		return strconv.AppendInt(b, int64(f.Rank), 10)
	case Count:
		b = append(b, '~')
		return strconv.AppendInt(b, int64(f.Number), 10)
	case Rate:
		return append(b, f.Rate.String()...)
	}
	b = append(b, "select("...)
	b = strconv.AppendInt(b, int64(f.Select), 10)
	return append(b, ')')
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
