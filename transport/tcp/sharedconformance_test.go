package tcp_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/proctest"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// apart is one of several processes that run the suite, each on its own ranks only. They are goroutines here, and have nothing in common
// but their group; the first one has the coordinator, and so the report.
type apart struct {
	parts.Group
	pace tcp.Pace
	tick time.Duration
}

func (a apart) run(params clock.LogP, seed uint64, schedule faults.Schedule, program protocols.Program) (*report.Report, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	job := tcp.Job{Job: wire.NewJob(), LogP: params, Processes: min(params.Ranks, a.Count()), Tick: a.tick, Pace: a.pace, Seed: seed, Faults: schedule}
	if a.Index() > 0 {
		return nil, a.serve(ctx, job, "", program)
	}
	c, err := tcp.NewCoordinator(tcp.CoordinatorConfig{Job: job, Detection: tcp.Detection{Offered: true}, Initiators: program.Initiators})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	served := make(chan error, 1)
	go func() { served <- a.serve(ctx, job, c.Addr().String(), program) }()
	if err := c.Start(ctx, 5*time.Millisecond); err != nil {
		return nil, err
	}
	res, err := c.Wait(ctx)
	if err := errors.Join(err, <-served); err != nil {
		return nil, err
	}
	return res.Report, nil
}

// serve runs the ranks that are here, if there are any. The first process tells all how to reach its coordinator.
func (a apart) serve(ctx context.Context, job tcp.Job, coordinator string, program protocols.Program) error {
	invitations, err := a.toAll([]byte(job.Key() + " " + coordinator))
	if err != nil {
		return err
	}
	key, coordinator, _ := strings.Cut(string(invitations[0]), " ")
	if job.Job, err = wire.ParseKey(key); err != nil || a.Index() >= job.Processes {
		return err
	}
	n, err := tcp.Listen(tcp.Config{Job: job, Process: a.Index()})
	if err != nil {
		return err
	}
	defer n.Close()
	if err := n.Join(ctx, coordinator); err != nil {
		return err
	}
	return n.Run(ctx, program, nil)
}

func (a apart) toAll(own []byte) ([][]byte, error) {
	return a.Exchange(slices.Repeat([][]byte{own}, a.Count()))
}

// lanes is how many groups of processes there are at a time: in each, runs go on one after the other.
const lanes = 4

// Ticks are shorter than where many runs go on at a time; as long as the machine has no time for that, attempts take twice as long. All
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
	const tick, late = 50 * time.Microsecond, 35 * time.Millisecond
	found := make([]error, processes)
	parts.Together(ctx, processes, func(g parts.Mail) error {
		a := apart{g, pace, tick}
		m := proctest.Machine{Run: a.run, Share: a.toAll, Late: clock.Time(late / tick), Attempts: 12, Detects: true}
		if pace != tcp.Model {
			m.Early = clock.Time(time.Hour / tick)
		}
		found[g.Index()] = c.Check(m)
		return nil
	})
	return found
}
