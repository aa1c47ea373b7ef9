package launch_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// In letters all ranks write to all others three times, every second unit, and note what they receive and in which unit. Schedules
// have everything arrive in the first half of one, so that processes may be late by the other half.
const letters, unit, noMore = 3, clock.Time(200), clock.Time(11)

var lettersProtocol = scenarios.Protocol{Name: "letters", Rejoins: true, Build: func(s line.Settings) (scenarios.Experiment, error) {
	got := make([][]string, s.LogP().Ranks)
	return scenarios.Experiment{
		Program: protocols.Program{Main: func(p protocols.Proc) { got[p.Rank()] = writeLetters(p) }},
		State: scenarios.PerRank[[]string]{
			Ranks: len(got), Forget: func() { clear(got) },
			Left: func(rank int) *[]string { return &got[rank] },
			Take: func(rank int, left *[]string) error { got[rank] = *left; return nil },
		},
		Measures: scenarios.Measures{Details: func(r *report.Report) (all []scenarios.Detail) {
			for rank, noted := range got {
				if r.Ranks[rank].Outcome.Failed() {
					noted = nil // it may be lost with the rank
				}
				all = append(all, scenarios.Detail{Name: fmt.Sprintf("rank %d", rank), Text: fmt.Sprint(bySender(noted))})
			}
			return all
		}},
	}, nil
}}

// writeLetters is a life of a rank.
func writeLetters(p protocols.Proc) (got []string) {
	read := func(until clock.Time) {
		for {
			from, m, ok := p.RecvUntil(mailbox.Any, until*unit)
			if !ok {
				return
			}
			got = append(got, fmt.Sprintf("%d: %d of life %d in unit %d", from, m.A, m.Epoch, (p.Now()+unit/4)/unit))
		}
	}
	for n := range clock.Time(letters) {
		read(2 * n)
		for to := range p.Size() {
			if to != p.Rank() {
				p.Send(to, mailbox.Message{A: int64(n), Epoch: uint32(p.Life())})
			}
		}
	}
	read(noMore)
	return got
}

// bySender sorts letters by their senders, and leaves those of one in their order.
func bySender(all []string) []string {
	return slices.SortedStableFunc(slices.Values(all), func(a, b string) int { return int(a[0]) - int(b[0]) })
}

// What a schedule does to messages and links happens to those of processes as it does on the emulator: which of them arrive,
// how often, in which unit and order, and in which life of their receivers; also if their senders have been killed or stopped before. With
// several ranks in a process only a rank fails.
func TestMessagesOfProcessesMeetWhatTheEmulatorSays(t *testing.T) {
	t.Parallel()
	for name, rest := range map[string]string{
		"messages": "faults=late:0@send2+600,late:3@send4+200,lose:1@send1,twice:2@send3+1000,late:1@send5+240,twice:1@send5+600",
		"links":    "faults=cut:0>3@t100,mend:0>3@t700,cut:1|2@t300,late:2>3@t300..t500+400,lose:3>*@t700,twice:0>1@t0+1200",
		// What is late holds up what its sender sends in its next life.
		"a sender that fails": "faults=late:0@send2+1440,twice:0@send1+1240,crash:0@after-send4,rejoin:0@t1020,late:3@send1+840,hang:3@t100",
		// What is late arrives in the next life of its receiver, whether that is up or down when it was sent.
		"a receiver that fails": "faults=late:0@send1+1440,late:2@send5+1200,crash:1@t100,rejoin:1@t1020",
		// A send in which a rank fails is none.
		"in a send": "faults=crash:2@send5,rejoin:2@t820,late:2@send5+640,lose:2@send6,twice:2@send8+240",
		// Chance is the same, too, also in further lives.
		"jitter":    "seed=3 jitter=table:0x1,240x1,580x1 faults=crash:2@send3,rejoin:2@t820",
		"unordered": "seed=3 jitter=table:0x1,240x1,580x1 links=unordered faults=twice:1@send2+240",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, processes := range []int{4, 2} {
				asEmulated(t, "letters P=4 "+rest, processes)
			}
		})
	}
}

// asEmulated runs letters on processes and compares what is noted; with longer ticks again if it is something else, as
// processes may just have been late.
func asEmulated(t *testing.T, text string, processes int) {
	t.Helper()
	for tick := 1; ; tick *= 2 {
		run, err := registry().ParseLine(fmt.Sprintf("%s tick=%dms", text, tick))
		require.NoError(t, err)
		emulated, err := run.Execute(t.Context(), scenarios.Options{})
		require.NoError(t, err)
		o := launch.Options{Processes: processes, Pace: tcp.Sends, Command: workers(label(t)), Stderr: t.Output(), Timeout: patience, Patience: time.Second}
		outcome, err := launch.Launch(t.Context(), run, o)
		require.NoError(t, err)
		requireNoneNamed(t)
		if same("", emulated.Details, outcome.Details) == nil && same("", emulated.Report.Unfired.String(), outcome.Report.Unfired.String()) == nil {
			return
		}
		if tick >= 32 {
			require.Equal(t, emulated.Details, outcome.Details, text)
			require.Equal(t, emulated.Report.Unfired.String(), outcome.Report.Unfired.String(), text)
		}
	}
}
