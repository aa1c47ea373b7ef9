package faults

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
)

// Point is an instant in one rank's life: a time, or a place in its program.
type Point struct {
	Anchor Anchor
	Time   clock.Time // AtTime only
	N      int        // which send, receive, write, sync or passage of the step, from 1; 0 for AtTime
	Step   string     // AtStep only
}

// Anchor is what a Point is tied to.
type Anchor uint8

const (
	AtTime      Anchor = iota // the time Time
	BeforeSend                // before the N-th send begins
	MidSend                   // in the middle of the N-th send, which is lost
	AfterSend                 // after the N-th send, which counts
	AtRecv                    // at the N-th receive, before the message is processed
	AtStep                    // at the N-th passage of the step Step
	BeforeWrite               // before the N-th change of its storage begins
	MidWrite                  // in the middle of the N-th change, which is not safe
	AfterWrite                // after the N-th change, which counts and is not safe yet
	BeforeSync                // before the N-th sync of its storage begins
	MidSync                   // in the middle of the N-th sync, which has made nothing safe
	AfterSync                 // after the N-th sync, which counts
)

// lastAnchor is the one with the highest number.
const lastAnchor = AfterSync

var anchorNames = [...]string{
	AtTime:      "t",
	BeforeSend:  "before-send",
	MidSend:     "send",
	AfterSend:   "after-send",
	AtRecv:      "recv",
	AtStep:      "step",
	BeforeWrite: "before-write",
	MidWrite:    "write",
	AfterWrite:  "after-write",
	BeforeSync:  "before-sync",
	MidSync:     "sync",
	AfterSync:   "after-sync",
}

// String returns the name that the text of a schedule uses.
func (a Anchor) String() string {
	if int(a) >= len(anchorNames) {
		return "anchor(" + strconv.Itoa(int(a)) + ")"
	}
	return anchorNames[a]
}

// OnTime is the instant t. OnTime(0) comes before anything has run.
func OnTime(t clock.Time) Point { return Point{Anchor: AtTime, Time: t} }

// BeforeNthSend is just before the rank's n-th send begins.
func BeforeNthSend(n int) Point { return Point{Anchor: BeforeSend, N: n} }

// DuringNthSend is in the middle of the rank's n-th send, whose message is lost.
func DuringNthSend(n int) Point { return Point{Anchor: MidSend, N: n} }

// AfterNthSend is just after the rank's n-th send, whose message is on its way.
func AfterNthSend(n int) Point { return Point{Anchor: AfterSend, N: n} }

// OnNthRecv is when the program is handed its n-th message, which it does not process.
func OnNthRecv(n int) Point { return Point{Anchor: AtRecv, N: n} }

// OnStep is the n-th passage of the named step.
func OnStep(name string, n int) Point { return Point{Anchor: AtStep, N: n, Step: name} }

// BeforeNthWrite is just before the rank's n-th change of its storage begins.
func BeforeNthWrite(n int) Point { return Point{Anchor: BeforeWrite, N: n} }

// DuringNthWrite is in the middle of the rank's n-th change of its storage.
func DuringNthWrite(n int) Point { return Point{Anchor: MidWrite, N: n} }

// AfterNthWrite is just after the rank's n-th change of its storage.
func AfterNthWrite(n int) Point { return Point{Anchor: AfterWrite, N: n} }

// BeforeNthSync is just before the rank's n-th sync begins.
func BeforeNthSync(n int) Point { return Point{Anchor: BeforeSync, N: n} }

// DuringNthSync is in the middle of the rank's n-th sync.
func DuringNthSync(n int) Point { return Point{Anchor: MidSync, N: n} }

// AfterNthSync is just after the rank's n-th sync.
func AfterNthSync(n int) Point { return Point{Anchor: AfterSync, N: n} }

// String prints the point as in the text of a schedule, without the "@".
func (p Point) String() string {
	text := p.Anchor.String()
	switch p.Anchor {
	case AtTime:
		return text + strconv.FormatInt(int64(p.Time), 10)
	case AtStep:
		text += ":" + p.Step
		if p.N == 1 {
			return text
		}
		text += "#"
	}
	return text + strconv.Itoa(p.N)
}

// parsePoint reads what follows the "@" of an item.
func parsePoint(text string) (Point, error) {
	if rest, ok := strings.CutPrefix(text, "step:"); ok {
		return parseStep(rest)
	}
	if digits, ok := strings.CutPrefix(text, AtTime.String()); ok {
		t, err := timeSpan.parse(digits)
		return OnTime(clock.Time(t)), err
	}
	for a := BeforeSend; a <= lastAnchor; a++ {
		if digits, ok := strings.CutPrefix(text, a.String()); ok && a != AtStep {
			n, err := a.span().parse(digits)
			return Point{Anchor: a, N: int(n)}, err
		}
	}
	return Point{}, fmt.Errorf("unknown point %q, want t, before-send, send, after-send, recv, before-write, write, after-write, "+
		"before-sync, sync or after-sync and a number, or step: and a name", text)
}

// parseStep reads a step's name and, behind a "#", which passage of it is meant.
func parseStep(text string) (Point, error) {
	name, digits, numbered := strings.Cut(text, "#")
	if err := checkStep(name); err != nil {
		return Point{}, err
	}
	if !numbered {
		return OnStep(name, 1), nil
	}
	n, err := passageSpan.parse(digits)
	return OnStep(name, int(n)), err
}

// span is the range of N.
func (a Anchor) span() span {
	switch a {
	case AtRecv:
		return recvSpan
	case AtStep:
		return passageSpan
	case BeforeWrite, MidWrite, AfterWrite:
		return writeSpan
	case BeforeSync, MidSync, AfterSync:
		return syncSpan
	}
	return sendSpan
}

// checkStep says what is wrong with a step's name.
func checkStep(name string) error {
	if name != "" && strings.IndexFunc(name, notInStep) < 0 {
		return nil
	}
	return fmt.Errorf("step name %q, want one or more of A-Z a-z 0-9 - _ . /", name)
}

func notInStep(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return false
	}
	return !strings.ContainsRune("-_./", r)
}
