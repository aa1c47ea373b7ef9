package conformance_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/protocols/ulfm/conformance"
)

// finding is what has become of a case with one failure more than it has, with one detector.
type finding struct {
	asItIs    conformance.Ending // without it
	schedules int                // that there are
	complete  bool               // all of them were run; else the rest is a sample
	aborted   int
	different int
	wrong     error // the first that ends in no way that the case allows
}

// sample is how many schedules of each case are tried with each detector, unless a test leaves nothing out.
const sample = 20

// findings are those of tests that have run before.
var findings sync.Map

// explored runs all schedules, or a sample. It does so once for all tests.
func explored(t testing.TB, l *lab) *finding {
	t.Helper()
	key := string(l.c.Suite) + "/" + l.c.Name + "/" + l.detector.name
	if before, there := findings.Load(key); there {
		return before.(*finding)
	}
	got, err := l.run(l.own())
	require.NoError(t, err)
	all := l.further()
	f := &finding{asItIs: got.Ending, schedules: len(all), complete: true}
	if !thorough.All() && len(all) > sample {
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all, f.complete = all[:sample], false
	}
	for _, schedule := range all {
		f.add(l, schedule)
	}
	findings.Store(key, f)
	return f
}

// add runs one schedule more.
func (f *finding) add(l *lab, schedule faults.Schedule) {
	got, err := l.run(schedule)
	switch {
	case err != nil:
	case got.Ending == conformance.Aborts && (l.c.Explored.Fatal || l.c.Ending == conformance.Aborts):
		f.aborted++
		return
	case got.Ending == conformance.Differs && l.c.Ending == conformance.Differs:
		f.different++
		return
	case got.Ending == l.asItIs():
		return
	default:
		err = fmt.Errorf("ends otherwise than it should (%d): %w", got.Ending, got.why)
	}
	if f.wrong == nil {
		f.wrong = fmt.Errorf("faults=%v: %w", schedule, err)
	}
}
