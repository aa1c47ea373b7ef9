package collective

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
)

// sent is a message between tasks that was sent on a communicator: 0 is that of all ranks, the next
// is what was left after the first failures.
type sent struct {
	epoch    uint32
	content  content
	from, to int
}

// traced is a run with all its events.
type traced struct {
	*report.Report
	returned []clock.Time // when each rank's program returned
}

var simple = clock.LogP{Latency: 2, Overhead: 1}

// slowly is a failure detector that leaves time for all that can be done without those who have
// failed. So it is clear what is left to do.
const slowly = 500

// trace runs a program on all ranks of a machine.
func trace(t testing.TB, machine clock.LogP, options Options, schedule string, main func(*Team)) traced {
	t.Helper()
	m, err := emu.New(emu.Config{LogP: machine, Detection: emu.Detection{Delay: slowly}, Workers: 1, Trace: emu.TraceEvents})
	require.NoError(t, err)
	returned := make([]clock.Time, machine.Ranks)
	rep, err := m.Run(t.Context(), ulfm.Program(func(world *ulfm.Comm) {
		main(NewTeam(world, options))
		returned[world.Rank()] = world.Proc().Now()
	}), emu.Options{Faults: faults.MustParse(schedule)})
	require.NoError(t, err)
	require.Empty(t, rep.Deadlocks)
	require.Empty(t, rep.Unfired, "a fault that does not happen tests nothing")
	return traced{rep, returned}
}

// sends lists the messages between tasks, those to a rank that has failed included.
func (r traced) sends() (all []sent) {
	for _, e := range r.Events {
		if e.Kind == report.EventSend && ulfm.KindName(e.Msg) == "part" {
			all = append(all, sent{e.Epoch, content(e.A >> 40 & 3), int(e.A >> 20 & (MaxTasks - 1)), int(e.A & (MaxTasks - 1))})
		}
	}
	return all
}

// pairsAgain are the tasks between which something was sent after the first failure.
func (r traced) pairsAgain(c content) [][2]int {
	pairs := [][2]int{}
	for _, s := range r.sends() {
		if s.epoch > 0 && s.content == c {
			pairs = append(pairs, [2]int{s.from, s.to})
		}
	}
	return pairs
}
