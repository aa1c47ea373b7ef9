package faults

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// blanks may surround an item. Line ends are among them, so that a long schedule can be
// kept in a file with an item on each line.
const blanks = " \t\r\n"

// Parse reads the text of a schedule; the package comment has the grammar. Both "" and
// "none" are the empty schedule, which Parse returns as nil. The error lists all that is
// wrong in all items. Whether the ranks exist is left to [Schedule.Validate], because
// the text does not say how many there are.
func Parse(text string) (Schedule, error) {
	text = strings.Trim(text, blanks)
	if text == "" || text == none {
		return nil, nil
	}
	items := strings.Split(text, ",")
	schedule := make(Schedule, len(items))
	var wrong problems.List
	for i, item := range items {
		item = strings.Trim(item, blanks)
		var p itemParser
		p.parse(item)
		if p.wrong != nil {
			wrong.In(fmt.Sprintf("item %d %q", i+1, item), p.wrong)
		}
		schedule[i] = p.fault
	}
	if err := wrong.Err("faults"); err != nil {
		return nil, err
	}
	return schedule, nil
}

// MustParse is Parse for texts known to be right, in tests and examples. It panics on an
// error.
func MustParse(text string) Schedule {
	s, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return s
}

// itemParser reads one item. It goes on after a mistake, to report the others as well.
type itemParser struct {
	fault       Fault
	unknownKind bool
	wrong       problems.List
}

func (p *itemParser) parse(item string) {
	kind, rest, ok := strings.Cut(item, ":")
	if !ok {
		p.wrong.Add("want kind:ranks@point, such as crash:3@t0")
		return
	}
	p.kind(kind)
	rest = p.kept(rest)
	target, point, timed := strings.Cut(rest, "@")
	switch kind := p.fault.Kind; {
	case kind == Cut || kind == Mend, kind.OfMessages() && strings.ContainsAny(target, "|>"):
		p.sides(target)
	default:
		p.target(target)
	}
	p.point(point, timed)
	if len(p.wrong) == 0 { // the parts are right; do they go together?
		p.wrong = p.fault.problems(clock.MaxRanks)
	}
}

func (p *itemParser) point(text string, timed bool) {
	switch kind := p.fault.Kind; {
	case timed && kind.OfMessages():
		p.messages(text)
	case timed:
		var err error
		p.fault.At, err = parsePoint(text)
		p.wrong.Note(err)
	case kind == Rejoin:
		p.wrong.Add("no time, want @t and %d to %d: %s", rejoinSpan.low, rejoinSpan.high, tooSoon)
	case kind == Mend:
		p.wrong.Add("no time, want @t and %d to %d: %s", rejoinSpan.low, rejoinSpan.high, nothingToMend)
	case kind.OfMessages():
		p.wrong.Add("no messages, want %s", whichMessages)
	default:
		p.fault.At = OnTime(0)
	}
}

// messages reads which messages are meant and, behind a "+", by how much they are late.
func (p *itemParser) messages(text string) {
	text, delay, delayed := strings.Cut(text, "+")
	text, until, spans := strings.Cut(text, spanMark)
	f := &p.fault
	var err error
	f.At, err = parsePoint(text)
	p.wrong.Note(err)
	if spans {
		end, err := parsePoint(until)
		if err == nil && (end.Anchor != AtTime || end.Time == 0) {
			err = fmt.Errorf("end %q, want t and a time after the first one", until)
		}
		f.Until = end.Time
		p.wrong.Note(err)
	}
	switch {
	case delayed:
		n, err := delaySpan.parse(delay)
		f.Delay = clock.Time(n)
		p.wrong.Note(err)
	case f.Kind.Delays():
		p.wrong.Add("no delay, want + and %d to %d at the end", delaySpan.low, delaySpan.high)
	}
}

func (p *itemParser) kind(name string) {
	for k, known := range kindNames {
		if name == known {
			p.fault.Kind = Kind(k)
			return
		}
	}
	p.unknownKind = true
	p.wrong.Note(kindError(fmt.Sprintf("%q", name)))
}

// target reads the ranks and, for a slow-down, the factor behind them.
func (p *itemParser) target(text string) {
	who, factor, factored := strings.Cut(text, "x")
	p.ranks(who)
	switch {
	case p.unknownKind:
		// Whether a factor belongs here depends on the kind that was meant.
	case p.fault.Kind == Slow && !factored:
		p.wrong.Add("no factor, want x and %d to %d after the ranks", factorSpan.low, factorSpan.high)
	case p.fault.Kind == Slow:
		n, err := factorSpan.parse(factor)
		p.fault.Factor = int(n)
		p.wrong.Note(err)
	case factored:
		p.wrong.Add("factor %q, want none: only slow has one", factor)
	}
}

// sides reads the two sides of links.
func (p *itemParser) sides(text string) {
	f := &p.fault
	left, right, both := strings.Cut(text, "|")
	if !both {
		left, right, f.OneWay = strings.Cut(text, ">")
	}
	if !both && !f.OneWay {
		p.wrong.Add("no right side, want | and ranks behind %q, or |* for all others", text)
		return
	}
	var err error
	if strings.HasPrefix(left, "~") || strings.HasSuffix(left, "%") {
		p.ranks(left)
	} else {
		f.Left, err = parseSide("left", left)
		p.wrong.Note(err)
	}
	f.Right, err = parseSide("right", right)
	p.wrong.Note(err)
	if f.Select == One && f.Left != Others {
		f.orderSides()
	}
}

func parseSide(name, text string) (Group, error) {
	if text == "" {
		return "", fmt.Errorf("no %s side, want ranks such as 0-3+9", name)
	}
	g, err := parseGroup(text)
	if err != nil {
		err = fmt.Errorf("%s side: %w", name, err)
	}
	return g, err
}

func (p *itemParser) ranks(text string) {
	f := &p.fault
	var n int64
	var err error
	if digits, ok := strings.CutPrefix(text, "~"); ok {
		n, err = numberSpan(clock.MaxRanks).parse(digits)
		f.Select, f.Number = Count, int(n)
	} else if decimal, ok := strings.CutSuffix(text, "%"); ok {
		f.Select = Rate
		f.Rate, err = parsePercent(decimal)
	} else if text == "" {
		err = errors.New("no ranks, want a rank such as 3, ~5 for five drawn ones, or a rate such as 1%")
	} else {
		n, err = rankSpan(clock.MaxRanks).parse(text)
		f.Select, f.Rank = One, int(n)
	}
	p.wrong.Note(err)
}

func kindError(name string) error {
	return fmt.Errorf("unknown kind %s, want crash, hang, slow, rejoin, cut, mend, late, lose or twice", name)
}
