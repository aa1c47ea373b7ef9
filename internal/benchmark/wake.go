package benchmark

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// RawWake starts sleepers, wakes all of them several times and returns the cost of a wake.
func RawWake(ranks, rounds int) time.Duration {
	d := newDormitory(ranks)
	d.start()
	runtime.GC() // none while time is taken
	began := time.Now()
	for range rounds {
		d.wake()
	}
	perWake := time.Since(began) / time.Duration(rounds*ranks)
	d.end()
	return perWake
}

// BareLives is what a cold run cannot go below: as many goroutines are started, woken once, woken again and
// ended. No message is sent, no clock kept.
func BareLives(ranks int) {
	d := newDormitory(ranks)
	d.start()
	d.wake()
	d.end()
}

// alarm is what a sleeper is woken with, as large as what the emulator hands over to a rank.
type alarm struct {
	_    int64
	stay bool
}

// sleeper is a goroutine that does nothing but park.
type sleeper struct {
	channel chan alarm
	waker   *waker
}

// waker wakes sleepers and waits for them to park again.
type waker struct {
	left atomic.Int32
	done chan struct{}
	_    [48]byte
}

func (s *sleeper) parked() {
	if s.waker.left.Add(-1) == 0 {
		s.waker.done <- struct{}{}
	}
}

func (s *sleeper) run() {
	for {
		s.parked()
		if a := <-s.channel; !a.stay {
			s.parked()
			return
		}
	}
}

// dormitory is where sleepers sleep.
type dormitory struct {
	sleepers []sleeper
	wakers   []waker
}

func newDormitory(ranks int) *dormitory {
	d := &dormitory{make([]sleeper, ranks), make([]waker, runtime.GOMAXPROCS(0))}
	for i := range d.wakers {
		d.wakers[i].done = make(chan struct{}, 1)
	}
	return d
}

func (d *dormitory) start() {
	d.each(func(s *sleeper) {
		s.channel = make(chan alarm)
		go s.run()
	})
}

func (d *dormitory) wake() { d.each(func(s *sleeper) { s.channel <- alarm{stay: true} }) }
func (d *dormitory) end()  { d.each(func(s *sleeper) { s.channel <- alarm{} }) }

// each has every waker do its share.
func (d *dormitory) each(do func(*sleeper)) {
	var wait sync.WaitGroup
	ranks := len(d.sleepers)
	share := (ranks + len(d.wakers) - 1) / len(d.wakers)
	for i := range d.wakers {
		mine := d.sleepers[min(i*share, ranks):min((i+1)*share, ranks)]
		wait.Go(func() { d.wakers[i].inBatches(mine, do) })
	}
	wait.Wait()
}

func (w *waker) inBatches(sleepers []sleeper, do func(*sleeper)) {
	for len(sleepers) > 0 {
		batch := sleepers[:min(64, len(sleepers))]
		sleepers = sleepers[len(batch):]
		w.left.Store(int32(len(batch)))
		for i := range batch {
			batch[i].waker = w
			do(&batch[i])
		}
		<-w.done
	}
}
