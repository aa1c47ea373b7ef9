package view_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/internal/viewtest"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/report/view"
)

// end is one end of a message.
type end struct {
	rank, peer int64
	kind       string
	epoch      int64
	a, time    int64
}

// requireComplete requires that each message that the events tell of is among the data once, with
// both of its ends, and nothing else is. Which send belongs to which receive is up to package
// traceevent, whose tests look at that.
func requireComplete(t require.TestingT, run view.Run) {
	sends, unsent, receives, lost, cut := make(map[end]int), make(map[end]int), make(map[end]int), make(map[end]int), make(map[end]int)
	steps, notices, dropped, again := 0, make(map[end]int), make(map[end]int), make(map[[2]int64]int)
	for _, e := range run.Report.Events {
		if !run.Ranks.Has(e.Rank) && !(e.Peer >= 0 && run.Ranks.Has(e.Peer) && e.Kind != report.EventNotice) {
			continue
		}
		x := end{int64(e.Rank), int64(e.Peer), mailbox.KindName(e.Msg, run.KindName), int64(e.Epoch), e.A, int64(e.Time)}
		switch e.Kind {
		case report.EventSend:
			sends[x]++
		case report.EventSendLost:
			unsent[x]++
		case report.EventReceive:
			receives[x]++
		case report.EventLost:
			lost[x]++
		case report.EventCut:
			cut[x]++
		case report.EventDrop:
			dropped[x]++
		case report.EventTwice:
			again[[2]int64{int64(e.Rank), int64(e.Peer)}]++
		case report.EventStep:
			steps++
		case report.EventNotice:
			notices[end{rank: int64(e.Rank), peer: int64(e.Peer), time: int64(e.Time)}]++
		}
	}
	d := dataOf(t, run)
	sent := instants(d.Messages.Sent)
	require.Len(t, sent, d.Messages.Count)
	require.True(t, slices.IsSorted(sent))
	for i, start := range sent {
		m := &d.Messages
		from := end{m.From[i], m.To[i], d.Kinds[m.Kind[i]], m.Epoch[i], m.A[i], start}
		to := end{m.To[i], m.From[i], from.kind, from.epoch, from.a, start + m.Took[i] + m.Flight[i] + m.Takes[i]}
		fate := view.Fate(m.Fate[i])
		if fate == view.Unsent {
			unsent[from]--
			require.Zero(t, m.Flight[i], "it has not left its sender")
			require.Zero(t, m.Takes[i])
			continue
		}
		if m.Again[i] == 1 {
			again[[2]int64{from.rank, from.peer}]--
			require.Positive(t, m.Late[i])
		} else {
			sends[from]--
		}
		switch fate {
		case view.Received:
			receives[to]--
			require.GreaterOrEqual(t, m.Flight[i], int64(1))
		case view.Lost:
			lost[to]--
		case view.Cut:
			cut[end{from.rank, from.peer, from.kind, from.epoch, from.a, to.time}]--
		case view.Dropped:
			dropped[end{from.rank, from.peer, from.kind, from.epoch, from.a, to.time}]--
		}
	}
	told := instants(d.Notices.Start)
	require.Len(t, told, d.Notices.Count)
	require.True(t, slices.IsSorted(told))
	for i, start := range told {
		notices[end{rank: d.Notices.Rank[i], peer: d.Notices.About[i], time: start + d.Notices.Took[i]}]--
	}
	for name, ends := range map[string]map[end]int{"send": sends, "unsent": unsent, "receive": receives, "lost": lost, "cut": cut, "dropped": dropped, "notice": notices} {
		for x, n := range ends {
			require.Zero(t, n, "%s %+v", name, x)
		}
	}
	for link, n := range again {
		require.Zero(t, n, "once more over %v", link)
	}
	require.Equal(t, steps, d.Steps.Count)
}

func TestEveryMessageOfAnyProtocolIsOnThePageOnce(t *testing.T) {
	for _, line := range viewtest.Lines {
		t.Run(line, func(t *testing.T) {
			run := viewtest.OfLine(t, line)
			requireComplete(t, run)
			run.Ranks = view.Range{First: len(run.Report.Ranks) / 3, Last: len(run.Report.Ranks) / 2}
			requireComplete(t, run)
		})
	}
}

// Ranks are told of failures one after the other.
func TestEveryNoticeIsOnThePageOnce(t *testing.T) {
	run := viewtest.OfLine(t, "collective op=alltoall P=8 faults=crash:3@t5,crash:5@t60,hang:6@t90")
	require.Greater(t, len(slices.Compact(instants(dataOf(t, run).Notices.Start))), 1)
	requireComplete(t, run)
}

func TestEveryMessageOfRandomRunsIsOnThePageOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
		ranks := number("P", 2, 20)
		line := fmt.Sprintf("%s P=%d L=%d o=%d g=%d seed=%d", rapid.SampledFrom([]string{"broadcast", "gossip", "reduce"}).Draw(t, "protocol"),
			ranks, number("L", 1, 4), number("o", 1, 3), number("g", 0, 3), number("seed", 0, 99))
		var items []string
		for range number("faults", 0, 4) {
			kind := rapid.SampledFrom([]string{"crash:%d", "hang:%d", "slow:%dx3"}).Draw(t, "kind")
			at := rapid.SampledFrom([]string{"t%d", "send%d", "after-send%d", "recv%d"}).Draw(t, "at")
			item := fmt.Sprintf(kind+"@"+at, number("rank", 0, ranks-1), number("n", 1, 12))
			if !slices.Contains(items, item) {
				items = append(items, item)
			}
		}
		if len(items) > 0 {
			line += " faults=" + strings.Join(items, ",")
		}
		run := viewtest.OfLine(t, line)
		low := number("first", 0, ranks-1)
		run.Ranks = view.Range{First: low, Last: number("last", low, ranks-1)}
		requireComplete(t, run)
	})
}
