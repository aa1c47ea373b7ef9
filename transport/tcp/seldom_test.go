package tcp

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// However often something happens, there is a line at once, then one a second, and all are counted.
func TestWhatOthersCanMakeHappenIsToldOfSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said lines // timers tell, too
		began := time.Now()
		s := seldom[int]{pause: time.Second, tell: func(times, last int) {
			said.add(fmt.Sprintf("%s: %d, the last %d", time.Since(began), times, last))
		}}
		for i := range 2500 {
			s.note(i)
			time.Sleep(time.Millisecond)
			if i == 0 {
				time.Sleep(time.Millisecond / 2) // no other one is at the very instant at which it is told of
			}
		}
		synctest.Wait()
		require.Equal(t, []string{"0s: 1, the last 0", "1s: 999, the last 999", "2s: 1000, the last 1999"}, said.told())
		time.Sleep(10 * time.Second)
		require.Equal(t, "3s: 500, the last 2499", said.told()[3])
		s.mu.Lock()
		require.Nil(t, s.timer, "it is quiet, and nothing waits")
		s.mu.Unlock()
		s.note(7)
		s.note(8)
		s.close()
		s.note(9)
		time.Sleep(10 * time.Second)
		require.Equal(t, []string{"12.5005s: 1, the last 7", "12.5005s: 1, the last 8"}, said.told()[4:], "what was kept is told in the end")
		s.close()
		require.Len(t, said.told(), 6)
	})
}

// lines are told by several goroutines.
type lines struct {
	mu  sync.Mutex
	all []string
}

func (l *lines) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, line)
}

func (l *lines) told() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}

// One stranger is named, and of several the last.
func TestStrangersAreCounted(t *testing.T) {
	var told []string
	log := func(format string, args ...any) { told = append(told, fmt.Sprintf(format, args...)) }
	s := stranger{&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4711}, errors.New("not one of us")}
	s.log(1, log)
	s.log(17, log)
	require.Equal(t, []string{"connection from 127.0.0.1:4711 dropped: not one of us", "17 connections from strangers dropped, the last from 127.0.0.1:4711: not one of us"}, told)
	told = nil
	a := newAcceptor(nil, wire.Handshake{}, nil, log, nil)
	for range 3 {
		a.troubles.note(errors.New("too many open files"))
	}
	a.troubles.close()
	require.Equal(t, []string{"no connection accepted: too many open files", "no connection accepted, 2 times: too many open files"}, told)
}

// Another process of the job may be refused as often as it tries: there is a line at once, and then one a second.
func TestConnectionsOfALinkThatAreDroppedAreToldOfSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log lines
		l := (&Node{cfg: Config{Process: 2, Log: log.add}, poke: make(chan struct{}, 1)}).newLink(5)
		for range 3 {
			l.log(errors.New("its life 1 is over"))
		}
		l.log(errors.New("its life 3 is over"))
		require.Equal(t, []string{"process 2: process 5: connection dropped: its life 1 is over"}, log.told())
		time.Sleep(usualPause + time.Millisecond)
		synctest.Wait()
		require.Equal(t, []string{"process 2: process 5: 3 connections dropped, the last: its life 3 is over"}, log.told()[1:])
		l.log(errors.New("its life 4 is over"))
		l.close() // as of a process that is started again
		time.Sleep(2 * usualPause)
		l.log(errors.New("its life 5 is over"))
		l.dropped.close()
		require.Equal(t, []string{"process 2: process 5: connection dropped: its life 4 is over", "process 2: process 5: connection dropped: its life 5 is over"}, log.told()[2:], "nothing is kept back in the end")
	})
}
