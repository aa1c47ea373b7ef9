package collective_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
)

// observed runs a program and returns the spans of every rank.
func observed(t *testing.T, ranks int, options collective.Options, schedule string, main func(*collective.Team) error) ([][]collective.Span, report.Report) {
	t.Helper()
	spans := make([][]collective.Span, ranks)
	options.Observe = func(rank int, span collective.Span) { spans[rank] = append(spans[rank], span) }
	l := labOf(t, emu.Config{LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}}, emutest.Instance{
		Program: ulfm.Program(func(world *ulfm.Comm) {
			if err := main(collective.NewTeam(world, options)); err != nil {
				panic(err)
			}
		}),
	})
	l.must(t, faults.MustParse(schedule))
	require.Empty(t, l.report.Unfired)
	return spans, l.report
}

// names are what spans are about, in short.
func names(spans []collective.Span) (all []string) {
	for _, s := range spans {
		all = append(all, fmt.Sprintf("%s%d %v", s.Operation, s.Number, s.Activity))
	}
	return all
}

func reduceThenBarrier(t *collective.Team) error {
	_, err := collective.Reduce(t, 0, collective.Given(value), collective.Elementwise(after))
	if err != nil {
		return err
	}
	return collective.Barrier(t)
}

func TestSpansFollowTheStrategy(t *testing.T) {
	for _, c := range []struct {
		options  collective.Options
		schedule string
		want     []string
	}{
		{collective.Options{Strategy: collective.Plain}, "none", []string{
			"reduce0 exchange", "reduce1 exchange", "broadcast2 exchange",
		}},
		{collective.Options{Strategy: collective.Optimistic}, "none", []string{
			"reduce0 exchange", "reduce0 agree", "reduce1 exchange", "reduce1 agree", "broadcast2 exchange", "broadcast2 agree",
		}},
		{collective.Options{}, "none", []string{
			"reduce0 agree", "reduce0 exchange", "reduce0 agree",
			"reduce1 agree", "reduce1 exchange", "reduce1 agree",
			"broadcast2 agree", "broadcast2 exchange", "broadcast2 agree",
		}},
		{collective.Options{}, "crash:2@step:exchange", []string{
			"reduce0 agree", "reduce0 exchange", "reduce0 agree", "reduce0 repair", "reduce0 exchange", "reduce0 agree",
			"reduce1 agree", "reduce1 exchange", "reduce1 agree",
			"broadcast2 agree", "broadcast2 exchange", "broadcast2 agree",
		}},
		// Failed before anything was done: the algorithm begins with those who are left.
		{collective.Options{}, "crash:2@step:agree", []string{
			"reduce0 agree", "reduce0 repair", "reduce0 exchange", "reduce0 agree",
			"reduce1 agree", "reduce1 exchange", "reduce1 agree",
			"broadcast2 agree", "broadcast2 exchange", "broadcast2 agree",
		}},
		// After a failure operations are tolerant, the optimistic ones as well.
		{collective.Options{Strategy: collective.Optimistic}, "crash:2@step:exchange", []string{
			"reduce0 exchange", "reduce0 agree", "reduce0 repair", "reduce0 exchange", "reduce0 agree",
			"reduce1 agree", "reduce1 exchange", "reduce1 agree",
			"broadcast2 agree", "broadcast2 exchange", "broadcast2 agree",
		}},
		// Another task is lost in the broadcast: the root still has what it has to say.
		{collective.Options{Strategy: collective.Optimistic}, "crash:2@step:exchange#3", []string{
			"reduce0 exchange", "reduce0 agree", "reduce1 exchange", "reduce1 agree",
			"broadcast2 exchange", "broadcast2 agree", "broadcast2 repair", "broadcast2 exchange", "broadcast2 agree",
		}},
		// The root's task is lost in the broadcast: what it has to say is reduced again, in between.
		{collective.Options{Strategy: collective.Optimistic}, "crash:0@step:exchange#3", []string{
			"reduce0 exchange", "reduce0 agree", "reduce1 exchange", "reduce1 agree",
			"broadcast2 exchange", "broadcast2 agree", "broadcast2 repair",
			"reduce3 agree", "reduce3 exchange", "reduce3 agree",
			"broadcast2 exchange", "broadcast2 agree",
		}},
	} {
		spans, rep := observed(t, 5, c.options, c.schedule, reduceThenBarrier)
		for rank, list := range spans {
			if !rep.Ranks[rank].Outcome.Failed() {
				require.Equal(t, c.want, names(list), "rank %d, %s", rank, c.schedule)
			}
		}
	}
}

func TestSpansAreInOrderAndDoNotOverlap(t *testing.T) {
	for _, schedule := range []string{"none", "crash:0@step:exchange#3", "crash:0@step:iteration#2,crash:1@step:repaired,crash:4@step:agree#5", "crash:3@t11,crash:2@t30"} {
		for _, s := range strategies {
			spans, _ := observed(t, 5, s.options, schedule, reduceThenBarrier)
			for rank, list := range spans {
				last := clock.Time(0)
				for _, span := range list {
					require.LessOrEqual(t, last, span.From, "rank %d: %+v", rank, list)
					require.LessOrEqual(t, span.From, span.To, "rank %d: %+v", rank, list)
					last = span.To
				}
			}
		}
	}
}

func TestOnlyTheNewOwnerSpendsTimeOnRestoring(t *testing.T) {
	options := collective.Options{Restore: func(task int) clock.Time { return clock.Time(1000 * (task + 1)) }}
	for schedule, want := range map[string][]clock.Time{
		"crash:3@step:exchange": {0, 0, 0, 0, 4000},
		// 4 takes over task 3, then 2 task 1.
		"crash:3@step:exchange,crash:1@step:exchange#2": {0, 0, 2000, 0, 4000},
		// 4 takes over task 3. When 4 fails, too, task 3 goes on to 0, and task 4 to 1.
		"crash:3@step:exchange,crash:4@step:exchange#2": {4000, 5000, 0, 0, 4000},
	} {
		spans, _ := observed(t, 5, options, schedule, reduceThenBarrier)
		for rank, list := range spans {
			spent := clock.Time(0)
			for _, s := range list {
				if s.Activity == collective.Repairing {
					spent += s.To - s.From
				}
			}
			require.Equal(t, want[rank], spent/1000*1000, "rank %d, %s", rank, schedule)
		}
	}
}
