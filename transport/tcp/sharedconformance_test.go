package tcp_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/internal/aparttest"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/protocols/proctest"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// lanes is how many groups of processes there are at a time: in each, runs go on one after the other.
const lanes = 4

// Processes are goroutines here. Ticks are shorter than where many runs go on at a time; as long as the machine has no time for that, attempts take twice as long. All
// processes of a group find the same.
func TestConformanceOfProcessesThatKnowOnlyTheirRanks(t *testing.T) {
	t.Parallel()
	for _, pace := range tcp.Paces() {
		if pace != tcp.Free && !thorough.All() {
			continue
		}
		t.Run(pace.String(), func(t *testing.T) {
			t.Parallel()
			cases := slices.DeleteFunc(proctest.Cases(), func(c proctest.Case) bool { return c.Exact })
			var wait sync.WaitGroup
			for lane := range lanes {
				wait.Go(func() {
					for i := lane; i < len(cases); i += lanes {
						assert.Equal(t, make([]error, 3), checkApart(t.Context(), cases[i], pace, 3), cases[i].Name)
					}
				})
			}
			wait.Wait()
		})
	}
}

// checkApart has so many processes check a claim, and returns what each of them finds.
func checkApart(ctx context.Context, c proctest.Case, pace tcp.Pace, processes int) []error {
	found := make([]error, processes)
	parts.Together(ctx, processes, func(g parts.Mail) error {
		m := aparttest.Machine{Group: g, Pace: pace, Tick: 50 * time.Microsecond}
		found[g.Index()] = c.Check(m.Tested())
		return nil
	})
	return found
}
