package tcp

import (
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

// watcher is a rank that may watch a connection over which nothing comes.
func watcher(t *testing.T) (*rank, *watch) {
	t.Helper()
	in, _ := connectedIntake(t, sessions)
	n := in.link.node
	n.begin = time.Now()
	n.watch.allowed = true
	n.watch.heard.Store(in)
	return n.local(0), &n.watch
}

// least is how many bytes must have come before the kernel wakes anybody.
func (s *socket) least(t *testing.T) (bytes int) {
	t.Helper()
	require.NoError(t, s.raw.Control(func(fd uintptr) {
		bytes, _ = syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVLOWAT)
	}))
	return bytes
}

func TestKernelsAreToldApart(t *testing.T) {
	for release, want := range map[string]bool{"4.18.0-553.el8_10.x86_64": true, "4.17.19": false, "3.10.0-1160.el7": false, "6.1.0-13-amd64": true, "5.4": true, "4.18-rc1": true, "": false, "linux": false} {
		require.Equal(t, want, atLeast(release, 4, 18), release)
	}
}

// Watching in vain makes a rank leave out twice as many chances each time, up to a limit; when it is worth it, fewer again.
func TestWatchingInVainIsTriedLessOften(t *testing.T) {
	t.Parallel()
	r, w := watcher(t)
	for _, c := range []struct{ vain, leave int }{{1, 2}, {2, 4}, {3, 8}} {
		require.False(t, r.watch(time.Now(), clock.Never))
		require.Equal(t, c.vain, w.vain)
		require.Equal(t, c.leave, w.leave)
		for w.leave > 0 {
			before := w.leave
			require.False(t, r.watch(time.Now(), clock.Never))
			require.Equal(t, before-1, w.leave)
		}
	}
	r.box.signal <- struct{}{}
	for _, vain := range []int{2, 1, 0, 0} {
		require.True(t, r.watch(time.Now(), clock.Never))
		require.Equal(t, vain, w.vain)
	}
	<-r.box.signal
	w.vain = mostVain
	require.False(t, r.watch(time.Now(), clock.Never))
	require.Equal(t, 1<<mostVain, w.leave)
}

// A rank does not watch where that is not wanted, or not likely to be worth it.
func TestRankSleepsIfWatchingIsNotWorthIt(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(r *rank, w *watch){
		"it can":                     func(*rank, *watch) {},
		"the last message was quick": func(r *rank, _ *watch) { r.waited = watchTime },
		"too many ranks here":        func(_ *rank, w *watch) { w.allowed = false },
		"the last message was slow":  func(r *rank, _ *watch) { r.waited = watchTime + 1 },
		"another rank watches":       func(_ *rank, w *watch) { w.taken.Store(true) },
		"nothing has come yet":       func(_ *rank, w *watch) { w.heard.Store(nil) },
		"it has been in vain":        func(_ *rank, w *watch) { w.leave = 1 },
		"the connection has ended":   func(_ *rank, w *watch) { w.heard.Load().session.Close() },
	} {
		r, w := watcher(t)
		r.box.signal <- struct{}{}
		spoil(r, w)
		worth := name == "it can" || name == "the last message was quick"
		require.Equal(t, worth, r.watch(time.Now(), clock.Never), name)
		require.Equal(t, name == "another rank watches", w.taken.Load(), name)
		if name == "the connection has ended" {
			require.Nil(t, w.heard.Load())
		}
	}
}

// An instant that a rank waits for ends watching, and does not count as in vain.
func TestWatchingEndsInTime(t *testing.T) {
	t.Parallel()
	r, w := watcher(t)
	require.True(t, r.watch(time.Now(), r.look()))
	require.Zero(t, w.vain)
}

// While a rank watches, nobody is woken for what comes; afterwards the kernel wakes who waits, also for what has come meanwhile.
func TestNobodyIsWokenForWhatARankWatches(t *testing.T) {
	t.Parallel()
	in, peer := connectedIntake(t, sessions)
	s := in.socket
	s.hush()
	require.Equal(t, hushed, s.least(t))
	sleeps, woken := make(chan struct{}), make(chan error)
	go func() { woken <- s.raw.Read(secondTime(sleeps)) }()
	<-sleeps
	require.NoError(t, peer.WriteFrame(toRank0(1)))
	select {
	case <-woken:
		require.Fail(t, "somebody was woken")
	case <-time.After(20 * time.Millisecond):
	}
	s.unhush()
	require.Equal(t, 1, s.least(t))
	require.NoError(t, <-woken)

	r, w := watcher(t)
	require.False(t, r.watch(time.Now(), clock.Never))
	require.Equal(t, 1, w.heard.Load().socket.least(t))
}

// secondTime waits to be woken once, and says when it does.
func secondTime(sleeps chan<- struct{}) func(uintptr) bool {
	times := 0
	return func(uintptr) bool {
		if times++; times == 1 {
			close(sleeps)
		}
		return times > 1
	}
}

// Ranks watch if each of those on this host can have a processor.
func TestRanksWatchWhereThereAreEnoughProcessors(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	for name, c := range map[string]struct {
		processes, ranks int
		elsewhere        int // processes, the last ones
		may              bool
	}{
		"one for each":       {processors, processors, 0, true},
		"one process more":   {processors + 1, processors + 1, 0, false},
		"it is elsewhere":    {processors + 1, processors + 1, 1, true},
		"many are elsewhere": {100 * processors, 100 * processors, 99 * processors, true},
		"two ranks in each":  {processors, 2 * processors, 0, false},
		"all in one process": {1, processors + 1, 0, false},
	} {
		job := pairOfProcesses()
		job.Processes, job.Ranks = c.processes, c.ranks
		n := &Node{cfg: Config{Job: job}, layout: job.layout(), address: "10.0.0.1:7000"}
		var peers []peer
		for process := range c.processes {
			p := peer{Process: process, Address: "10.0.0.1:80"}
			if process >= c.processes-c.elsewhere {
				p.Address = "10.0.0.2:7000"
			}
			peers = append(peers, p)
		}
		require.Equal(t, c.may, n.mayWatch(peers), name)
	}
}
