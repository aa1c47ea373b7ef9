package tcp_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// detectorOf is the failure detector, which must be there.
func detectorOf(p protocols.Proc) protocols.Detector {
	d, err := protocols.DetectorOf(p)
	if err != nil {
		panic(err)
	}
	return d
}

func TestThereIsADetectorOnlyIfItIsOffered(t *testing.T) {
	t.Parallel()
	for _, offered := range []bool{false, true} {
		var err error
		run(t, someJob(1, 1), tcp.Detection{Offered: offered}, func(p protocols.Proc) { _, err = protocols.DetectorOf(p) })
		if offered {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, protocols.ErrNoDetector)
		}
	}
}

func TestTimeoutNeedsADetector(t *testing.T) {
	t.Parallel()
	for _, d := range []tcp.Detection{{Timeout: time.Second}, {Offered: true, Timeout: -1}, {Offered: true, Timeout: 1}} {
		_, err := tcp.NewCoordinator(tcp.CoordinatorConfig{Job: someJob(1, 1), Detection: d})
		require.ErrorContains(t, err, "for signs of life, want 0, or 1ms or more and a failure detector")
	}
}

// All who live see the same failures in the same order, whoever asks and however.
func TestKnownFailuresAreTheSameForAll(t *testing.T) {
	t.Parallel()
	const ranks = 9
	for _, processes := range []int{1, 4, ranks} {
		t.Run([]string{1: "one process", 4: "four processes", ranks: "a process each"}[processes], func(t *testing.T) {
			t.Parallel()
			job := someJob(ranks, processes)
			job.Faults = schedule(t, "crash:7,crash:2@t20,crash:5@t20,crash:8@t21")
			lists, notices := make([][]int, ranks), make([][]int, ranks)
			res := run(t, job, tcp.Detection{Offered: true}, func(p protocols.Proc) {
				d, me := detectorOf(p), p.Rank()
				for i := range 4 {
					d.WatchNext(i)
					from, _ := p.Recv(mailbox.OfKind(protocols.Failed))
					notices[me] = append(notices[me], from)
					if rank, ok := d.Known(i); !ok || rank != from || !d.Suspects(rank) {
						panic("a notice of what is not known")
					}
				}
				for i := range ranks {
					if rank, ok := d.Known(i); ok {
						lists[me] = append(lists[me], rank)
					}
				}
			})
			require.Len(t, res.Failed, 4)
			for _, me := range []int{0, 1, 3, 4, 6} {
				require.Len(t, lists[me], 4)
				require.Equal(t, lists[0], lists[me], "rank %d", me)
				require.Equal(t, lists[me], notices[me], "rank %d", me)
			}
			require.Equal(t, 7, lists[0][0], "known from the start")
			sorted := slices.Sorted(slices.Values(lists[0]))
			require.Equal(t, []int{2, 5, 7, 8}, sorted)
			for _, me := range []int{2, 5, 8} {
				require.True(t, slices.Equal(lists[0][:len(notices[me])], notices[me]), "what the dead have seen is the beginning of it")
			}
		})
	}
}

func TestWatchTellsOnceAndAlsoOfThePast(t *testing.T) {
	t.Parallel()
	job := someJob(3, 3)
	job.Faults = schedule(t, "crash:2@t20")
	var first, again, none bool
	run(t, job, tcp.Detection{Offered: true}, func(p protocols.Proc) {
		if p.Rank() != 0 {
			p.WaitUntil(200)
			return
		}
		d := detectorOf(p)
		notice := func(until clock.Time) bool {
			from, _, ok := p.RecvUntil(mailbox.OfKind(protocols.Failed), until)
			return ok && from == 2
		}
		d.Watch(1)
		d.Watch(2)
		first = notice(far)
		none = notice(p.Now() + 50)
		d.Watch(2)
		again = notice(far)
	})
	require.True(t, first)
	require.False(t, none)
	require.True(t, again)
}

// What a rank has sent before it failed is there before the notice of its failure.
func TestNoticeComesAfterMessages(t *testing.T) {
	t.Parallel()
	for _, processes := range []int{1, 2} {
		for range 10 {
			job := someJob(2, processes)
			job.Faults = schedule(t, "crash:1@after-send20")
			var kinds []mailbox.Kind
			run(t, job, tcp.Detection{Offered: true}, func(p protocols.Proc) {
				if p.Rank() == 1 {
					for {
						p.Send(0, mailbox.Message{Kind: 1})
					}
				}
				detectorOf(p).Watch(1)
				for len(kinds) == 0 || kinds[len(kinds)-1] != protocols.Failed {
					_, m := p.Recv(mailbox.Any)
					kinds = append(kinds, m.Kind)
				}
			})
			require.Len(t, kinds, 21)
		}
	}
}

// deafness is how long a process may give no sign of life. Machines may be busy.
const deafness = 3 * time.Second

func TestHangIsNoticedByATimeoutOnly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tcp.Detection
		faults  string
		noticed bool
	}{
		"timeout":              {tcp.Detection{Offered: true, Timeout: deafness}, "hang:1@t20", true},
		"no timeout":           {tcp.Detection{Offered: true}, "hang:1@t20", false},
		"timeout, at start":    {tcp.Detection{Offered: true, Timeout: deafness}, "hang:1", true},
		"no timeout, at start": {tcp.Detection{Offered: true}, "hang:1", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job := someJob(3, 2)
			job.Faults = schedule(t, c.faults)
			noticed := make([]bool, 3)
			res := run(t, job, c.Detection, func(p protocols.Proc) {
				if p.Rank() == 1 { // in one process with rank 2
					p.WaitUntil(clock.Never)
				}
				detectorOf(p).Watch(1)
				until := clock.Time(500)
				if c.noticed {
					until = 10 * far
				}
				_, _, noticed[p.Rank()] = p.RecvUntil(mailbox.OfKind(protocols.Failed), until)
			})
			require.Equal(t, []bool{c.noticed, false, c.noticed}, noticed)
			require.Len(t, res.Failed, 1)
			require.Equal(t, report.Hung, res.Failed[0].Outcome)
			require.Empty(t, res.Unscheduled)
			require.Empty(t, res.Unfired)
		})
	}
}

func TestFailuresBeforeTheStartAreKnownFromTheStart(t *testing.T) {
	t.Parallel()
	job := someJob(6, 3)
	job.Faults = schedule(t, "crash:4,crash:1,hang:3")
	for name, c := range map[string]struct {
		timeout time.Duration
		known   []int
	}{"without timeout": {0, []int{1, 4}}, "with timeout": {deafness, []int{1, 3, 4}}} {
		t.Run(name, func(t *testing.T) {
			known := make([][]int, 6)
			run(t, job, tcp.Detection{Offered: true, Timeout: c.timeout}, func(p protocols.Proc) {
				d, me := detectorOf(p), p.Rank()
				for i := range 6 {
					if rank, ok := d.Known(i); ok && d.Suspects(rank) {
						known[me] = append(known[me], rank)
					}
				}
			})
			for _, me := range []int{0, 2, 5} {
				require.Equal(t, c.known, known[me], "rank %d", me)
			}
		})
	}
}

func TestRankThatIsBackIsSuspectedNoMore(t *testing.T) {
	t.Parallel()
	inTime(t, func(tick time.Duration) (late bool) {
		job := someJob(2, 2)
		job.Tick, job.Faults = tick, schedule(t, "crash:1@t20,rejoin:1@t1500,crash:1@recv1")
		var m mourner
		r := prepare(t, job, tcp.Detection{Offered: true})
		res := r.run(t, protocols.Program{Main: m.main})
		if m.looked >= 1000 {
			return true
		}
		require.True(t, m.before)
		require.False(t, m.after)
		require.Equal(t, []int{1, 1}, m.list)
		require.Len(t, r.coordinator.Failures(), 2)
		require.Len(t, res.Rejoined, 1)
		return false
	})
}

// mourner is a program in which rank 0 asks about rank 1, which fails, comes back and fails again.
type mourner struct {
	looked        clock.Time // when it asked first
	before, after bool       // whether rank 1 was suspected before it was back, and then
	list          []int      // all failures
}

func (m *mourner) main(p protocols.Proc) {
	if p.Rank() == 1 {
		if p.Life() == 1 {
			p.Send(0, mailbox.Message{Kind: 1})
			p.Recv(mailbox.Any) // and fail
		}
		p.WaitUntil(clock.Never)
	}
	d := detectorOf(p)
	d.WatchNext(0)
	p.Recv(mailbox.OfKind(protocols.Failed))
	m.before = d.Suspects(1)
	m.looked = p.Now()
	p.Recv(mailbox.OfKind(1))
	for m.after = d.Suspects(1); m.after && p.Now() < far; m.after = d.Suspects(1) {
		p.WaitUntil(p.Now() + 1) // what it says may be faster
	}
	p.Send(1, mailbox.Message{})
	d.WatchNext(1)
	p.Recv(mailbox.OfKind(protocols.Failed))
	for i := range 3 {
		if rank, ok := d.Known(i); ok {
			m.list = append(m.list, rank)
		}
	}
}
