package traceevent

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// acts is what is shown of some events on two ranks, where messages take four ticks and each operation two.
func acts(schedule string, events ...report.Event) (all []Act) {
	rep := &report.Report{
		LogP:   clock.LogP{Ranks: 2, Latency: 2, Overhead: 2},
		Ranks:  make([]report.RankResult, 2),
		Faults: faults.MustParse(schedule),
		Events: events,
	}
	Visit(Run{Report: rep}, func(a Act) { all = append(all, a) })
	return all
}

// event is one of a message, or of a rank alone.
func event(at clock.Time, rank int, kind report.EventKind) report.Event {
	return report.Event{Time: at, Rank: rank, Kind: kind, Peer: 1 - rank}
}

// Sends are numbered from 1, and whatever becomes of a message has the number of its send: of messages that look the same
// the first one is received or lost, and the last one cut.
func TestWhatBecomesOfAMessageIsKnownByItsSend(t *testing.T) {
	all := acts("none",
		event(0, 0, report.EventSend), event(2, 0, report.EventSend), event(4, 0, report.EventSend), event(6, 0, report.EventSend),
		event(6, 1, report.EventReceive), event(8, 0, report.EventCut), event(8, 1, report.EventLost), event(10, 1, report.EventReceive),
		event(20, 1, report.EventReceive), event(22, 1, report.EventLost), event(24, 0, report.EventCut),
		event(26, 0, report.EventSend), event(30, 1, report.EventReceive),
	)
	sent := func(id, start int64) Flight {
		return Flight{ID: id, Start: clock.Time(start), Resumed: clock.Time(start + 2)}
	}
	var got []Flight
	for _, a := range all {
		got = append(got, a.Message)
	}
	require.Equal(t, []Flight{
		sent(1, 0), sent(2, 2), sent(3, 4), sent(4, 6),
		sent(1, 0), sent(4, 6), sent(2, 2), sent(3, 4),
		{}, {}, {},
		sent(5, 26), sent(5, 26),
	}, got)
}

// What happens to a message happens to the one that was sent last: it may be late, and it may be on its way once more, for which
// it has another number.
func TestMessagesAreLateOrOnTheirWayOnceMore(t *testing.T) {
	by := func(at clock.Time, kind report.EventKind, ticks int64) report.Event {
		e := event(at, 0, kind)
		e.A = ticks
		return e
	}
	another := event(2, 0, report.EventSend)
	another.A = 9
	all := acts("late:0@send1+20,twice:0@send1+3,lose:0@send2",
		event(0, 0, report.EventSend), by(2, report.EventLate, 20), by(2, report.EventTwice, 3), another, by(4, report.EventDrop, 9),
		event(26, 1, report.EventReceive), event(29, 1, report.EventReceive), by(30, report.EventLate, 5), event(40, 1, report.EventReceive))
	late := Flight{ID: 1, Start: 0, Resumed: 2, Late: 20}
	again := Flight{ID: 2, Start: 0, Resumed: 2, Late: 23, Of: 1}
	third := Flight{ID: 3, Start: 2, Resumed: 4}
	var got []Flight
	for _, a := range all {
		got = append(got, a.Message)
	}
	require.Equal(t, []Flight{{ID: 1, Start: 0, Resumed: 2}, late, again, third, third, late, again}, got[:7])
	require.Empty(t, acts("none", by(3, report.EventLate, 5))[0].Message, "of a send that is not known")
}

// What is there once more, and later, is overtaken by what looks the same; and it is there once more as often as that is said.
func TestWhatIsThereOnceMoreIsOvertaken(t *testing.T) {
	again := func(ticks int64) report.Event {
		e := event(2, 0, report.EventTwice)
		e.A = ticks
		return e
	}
	received := func(events ...report.Event) (ids []int64) {
		for _, a := range acts("twice:0@send1+20,twice:0@send1+9", events...) {
			if a.Kind == report.EventReceive {
				ids = append(ids, a.Message.ID)
			}
		}
		return ids
	}
	first, second, third := event(0, 0, report.EventSend), event(4, 0, report.EventSend), event(6, 0, report.EventSend)
	require.Equal(t, []int64{1, 3, 4, 2}, received(first, again(20), second, third,
		event(6, 1, report.EventReceive), event(10, 1, report.EventReceive), event(12, 1, report.EventReceive), event(26, 1, report.EventReceive)))
	require.Equal(t, []int64{1, 4, 3, 2}, received(first, again(20), again(9), second,
		event(6, 1, report.EventReceive), event(10, 1, report.EventReceive), event(15, 1, report.EventReceive), event(26, 1, report.EventReceive)))
	last := event(30, 0, report.EventSend)
	require.Equal(t, []int64{1, 2, 3}, received(first, again(20), last,
		event(6, 1, report.EventReceive), event(26, 1, report.EventReceive), event(36, 1, report.EventReceive)))
}

// A message that is late arrives when it does, and not before: its receive took two ticks at twice the cost.
func TestLateMessagesArriveLate(t *testing.T) {
	late := event(2, 0, report.EventLate)
	late.A = 6
	for _, c := range []struct {
		events []report.Event
		start  clock.Time
	}{
		{[]report.Event{event(0, 0, report.EventSend), event(14, 1, report.EventReceive)}, 6},
		{[]report.Event{event(0, 0, report.EventSend), late, event(14, 1, report.EventReceive)}, 10},
	} {
		all := acts("late:0@send1+6,slow:1x4@t0,slow:1x2@t9", c.events...)
		require.Equal(t, c.start, all[len(all)-1].Start)
	}
}

// The last message that was under way leaves nothing behind for the next one that looks the same.
func TestMessagesThatWereCutAreForgotten(t *testing.T) {
	all := acts("none",
		event(0, 0, report.EventSend), event(2, 0, report.EventCut), event(10, 0, report.EventSend), event(14, 1, report.EventReceive))
	require.EqualValues(t, 2, all[3].Message.ID)
}

// When operations of ports begin and end, of ranks that are slow, too. A notice, and a message whose send is not known, may have
// been there from the beginning.
func TestWhenOperationsBeginAndEnd(t *testing.T) {
	for name, c := range map[string]struct {
		faults     string
		events     []report.Event
		start, end clock.Time // of the last one
	}{
		"a send":                      {"none", []report.Event{event(3, 0, report.EventSend)}, 3, 5},
		"a send of a slow rank":       {"slow:0x3@t1", []report.Event{event(3, 0, report.EventSend)}, 3, 9},
		"a receive":                   {"none", []report.Event{event(9, 0, report.EventReceive)}, 7, 9},
		"a receive of a slow rank":    {"slow:0x3@t0", []report.Event{event(6, 0, report.EventReceive)}, 0, 6},
		"a notice":                    {"none", []report.Event{event(9, 0, report.EventNotice)}, 7, 9},
		"a notice of a slow rank":     {"slow:0x3@t0", []report.Event{event(6, 0, report.EventNotice)}, 0, 6},
		"another rank that is slow":   {"slow:1x3@t0", []report.Event{event(6, 0, report.EventNotice)}, 4, 6},
		"a send that ends in a crash": {"none", []report.Event{event(3, 0, report.EventSendLost), event(4, 0, report.EventCrash)}, 4, 4},
		// From 8 to 16 at four times the cost; then from 16 at twice, or from 12 at four times, if the port had been free.
		"a rank that hangs goes on": {"slow:0x4@t0,slow:0x2@t16",
			[]report.Event{event(16, 0, report.EventReceive), event(17, 0, report.EventHang), event(20, 0, report.EventReceive)}, 16, 20},
		"one that begins again has a free port": {"slow:0x4@t0,slow:0x2@t16",
			[]report.Event{event(16, 0, report.EventReceive), event(17, 0, report.EventRejoin), event(20, 0, report.EventReceive)}, 12, 20},
	} {
		all := acts(c.faults, c.events...)
		last := all[len(all)-1]
		require.Equal(t, []clock.Time{c.start, c.end}, []clock.Time{last.Start, last.End}, name)
		require.Len(t, all, len(c.events), name)
	}
}

// Where many are received at once, one that is done waits for those before it. Here the first takes from 4 to 12, at four times the
// cost; the second took from 7 to 11, at twice, and not from 8.
func TestReceivesThatWaitBeganWhenTheirMessageArrived(t *testing.T) {
	rep := &report.Report{
		LogP:   clock.LogP{Ranks: 2, Latency: 2, Overhead: 2, ManyReceives: true},
		Ranks:  make([]report.RankResult, 2),
		Faults: faults.MustParse("slow:1x4@t0,slow:1x2@t6"),
		Events: []report.Event{
			event(0, 0, report.EventSend), event(3, 0, report.EventSend), event(12, 1, report.EventReceive), event(12, 1, report.EventReceive),
		},
	}
	var starts []clock.Time
	Visit(Run{Report: rep}, func(a Act) { starts = append(starts, a.Start) })
	require.Equal(t, []clock.Time{0, 3, 4, 7}, starts)
}

// Text is written as JSON whatever is in it, and as it is if that will do.
func TestTextIsJSON(t *testing.T) {
	for text, want := range map[string]string{
		"": `""`, "a b~<&": `"a b~<&"`, `a"b`: `"a\"b"`, `a\b`: `"a\\b"`, "a\x1fb": `"a\u001fb"`, "é": `"é"`, "\x7f<": "\"\x7f\\u003c\"",
	} {
		var o output
		o.quote("x:", text)
		require.Equal(t, "x:"+want, string(o.buf))
		var back string
		require.NoError(t, json.Unmarshal(o.buf[2:], &back))
		require.Equal(t, text, back)
	}
}

func TestTicksAreWrittenInASCII(t *testing.T) {
	for tick, want := range map[time.Duration]string{
		999: "999ns", 1000: "1us", 1500: "1.5us", 999_999: "999.999us", time.Millisecond: "1ms", 2 * time.Second: "2s",
	} {
		require.Equal(t, want, inASCII(tick))
	}
}

// oneWay is a network that takes longer upwards.
type oneWay struct{}

func (oneWay) Latency(from, to int) clock.Time { return clock.Time(2 + 10*max(0, to-from)) }
func (oneWay) MinLatency() clock.Time          { return 2 }

// When a message arrived depends on where it came from. What is received from 14 on at twice the
// cost would have been from 10 on at four times, if it had been there.
func TestWhenAMessageArrivedIsUpToTheNetwork(t *testing.T) {
	for from, start := range []clock.Time{14, 10} {
		rep := &report.Report{
			LogP:   clock.LogP{Ranks: 2, Latency: 2, Overhead: 2},
			Ranks:  make([]report.RankResult, 2),
			Faults: faults.MustParse(fmt.Sprintf("slow:%[1]dx4@t0,slow:%[1]dx2@t13", 1-from)),
			Events: []report.Event{event(0, from, report.EventSend), event(18, 1-from, report.EventReceive)},
		}
		var got clock.Time
		Visit(Run{Report: rep, Network: oneWay{}}, func(a Act) { got = a.Start })
		require.Equal(t, start, got, "from rank %d", from)
	}
}

// longest is how much was written at once.
type longest int

func (l *longest) Write(p []byte) (int, error) {
	*l = max(*l, longest(len(p)))
	return len(p), nil
}

// A long trace is written in pieces.
func TestTracesAreNotHeldInMemory(t *testing.T) {
	var l longest
	rep := &report.Report{LogP: clock.LogP{Ranks: 5000, Latency: 2, Overhead: 2}, Ranks: make([]report.RankResult, 5000)}
	require.NoError(t, Write(&l, Run{Report: rep}))
	require.GreaterOrEqual(t, int(l), 65_536)
	require.Less(t, int(l), 67_000)
}

// Whoever has seen enough of the slow-downs need not look at all.
func TestSlowDownsByTheClock(t *testing.T) {
	run := Run{Report: &report.Report{Faults: faults.MustParse("slow:1x3@t9,crash:0@t1,slow:0x2@send1,slow:0x4@t2")}}
	var all []report.Event
	for e := range run.SlowByClock() {
		all = append(all, e)
	}
	slow := func(at clock.Time, rank int, factor int64) report.Event {
		return report.Event{Kind: report.EventSlow, Time: at, Rank: rank, Peer: report.NoPeer, A: factor}
	}
	require.Equal(t, []report.Event{slow(9, 1, 3), slow(2, 0, 4)}, all)
	for e := range run.SlowByClock() {
		require.Equal(t, all[0], e)
		break
	}
}
