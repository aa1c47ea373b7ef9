package view_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/report/view"
)

// end is one end of a message.
type end struct {
	rank, peer int64
	kind       string
	a, time    int64
}

// requireComplete requires that each message that the events tell of is among the data once, with
// both of its ends, and nothing else is. Which send belongs to which receive is up to package
// traceevent, whose tests look at that.
func requireComplete(t require.TestingT, run view.Run) {
	sends, unsent, receives, lost, cut := make(map[end]int), make(map[end]int), make(map[end]int), make(map[end]int), make(map[end]int)
	steps, notices := 0, 0
	for _, e := range run.Report.Events {
		if !run.Ranks.Has(e.Rank) && !(e.Peer >= 0 && run.Ranks.Has(e.Peer) && e.Kind != report.EventNotice) {
			continue
		}
		x := end{int64(e.Rank), int64(e.Peer), mailbox.KindName(e.Msg, run.KindName), e.A, int64(e.Time)}
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
		case report.EventStep:
			steps++
		case report.EventNotice:
			notices++
		}
	}
	d := dataOf(t, run)
	sent := instants(d.Messages.Sent)
	require.Len(t, sent, d.Messages.Count)
	require.True(t, slices.IsSorted(sent))
	for i, start := range sent {
		m := &d.Messages
		from := end{m.From[i], m.To[i], d.Kinds[m.Kind[i]], m.A[i], start}
		to := end{m.To[i], m.From[i], from.kind, from.a, start + m.Took[i] + m.Flight[i] + m.Takes[i]}
		fate := view.Fate(m.Fate[i])
		if fate == view.Unsent {
			unsent[from]--
			continue
		}
		sends[from]--
		switch fate {
		case view.Received:
			receives[to]--
			require.GreaterOrEqual(t, m.Flight[i], int64(1))
		case view.Lost:
			lost[to]--
		case view.Cut:
			cut[end{from.rank, from.peer, from.kind, from.a, to.time}]--
		}
	}
	for name, ends := range map[string]map[end]int{"send": sends, "unsent": unsent, "receive": receives, "lost": lost, "cut": cut} {
		for x, n := range ends {
			require.Zero(t, n, "%s %+v", name, x)
		}
	}
	require.Equal(t, steps, d.Steps.Count)
	require.Equal(t, notices, d.Notices.Count)
}

// lines are of all protocols, with what is special about them.
var lines = []string{
	"broadcast P=64 tree=lame faults=crash:3@send2,hang:9@t12",
	"broadcast P=20 o=3 faults=slow:3x4@t2,slow:5x2@recv1,crash:1@send2,cut:4|*@t9",
	"broadcast P=16 correction=none faults=crash:1@recv1,crash:~1",
	"broadcast P=16 repeat=5",
	"broadcast P=1",
	"broadcast P=27 network=torus:3x3x3 latency=100ns tick=100ns",
	"broadcast P=64 start=overlapped correction=optimized d=3 network=switch:2",
	"multitree P=16",
	"gossip P=64 receive=many faults=crash:~3",
	"gossip P=40 variant=fcg f=1 faults=crash:7@step:correction",
	"big P=32",
	"bfb P=64 faults=crash:3@t14",
	"reduce P=20 f=2 faults=crash:2@send1,hang:1@t3",
	"allreduce P=20 f=1 faults=crash:2@t7",
	"membership P=16 faults=crash:5@t0",
	"membership P=8 until=3000 faults=cut:0-2|3-7@t10,crash:5@t20,rejoin:5@t900",
	"collective op=reduce P=16 faults=crash:0@step:exchange",
	"samplesort P=8 n=1000 faults=crash:0@step:broadcast",
	"tpch-q3 P=8 sf=0.001 faults=crash:3@step:alltoallv",
}

func TestEveryMessageOfAnyProtocolIsOnThePageOnce(t *testing.T) {
	for _, line := range lines {
		t.Run(line, func(t *testing.T) {
			run := ofLine(t, line)
			requireComplete(t, run)
			run.Ranks = view.Range{First: len(run.Report.Ranks) / 3, Last: len(run.Report.Ranks) / 2}
			requireComplete(t, run)
		})
	}
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
		run := ofLine(t, line)
		low := number("first", 0, ranks-1)
		run.Ranks = view.Range{First: low, Last: number("last", low, ranks-1)}
		requireComplete(t, run)
	})
}
