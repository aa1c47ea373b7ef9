//go:build mpi

package mpi

/*
#include <stdlib.h>
#include "talk.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/parts"
)

// job is the processes of the MPI job that this one belongs to.
type job struct {
	index, count int
	crowd        crowd // on this host
	calls        chan func()
	talking      sync.Mutex   // MPI is told that one thread talks to it at a time
	lengths      []C.longlong // of batches, out and in
	in           [][]byte
}

// once makes sure that a process joins once, and all who ask get the same.
var once = sync.OnceValues(join)

// Join makes this process part of the job that it was started in, which may have one process only. All calls return the same group.
func Join() (parts.Mail, error) { return once() }

// join starts the thread that talks to MPI.
func join() (parts.Mail, error) {
	if n, variable := Launched(); orAlone(variable) != "" {
		return nil, unconnected(n, variable)
	}
	j := &job{calls: make(chan func())}
	failed := make(chan error)
	go func() {
		runtime.LockOSThread() // for ever, as it is waited for there what others do
		failed <- check(C.mangrove_join())
		for call := range j.calls {
			call()
		}
	}()
	if err := <-failed; err != nil {
		return nil, err
	}
	j.do(func() error {
		j.index, j.count = int(C.mangrove_index()), int(C.mangrove_count())
		return nil
	})
	if n, variable := Launched(); n > 1 && j.count == 1 {
		return nil, unconnected(n, variable)
	}
	if err := j.do(j.takeTurns); err != nil {
		return nil, err
	}
	j.lengths, j.in = make([]C.longlong, 2*j.count), make([][]byte, j.count)
	say(hello)
	return j, nil
}

// takeTurns finds out how to let other processes of this host have the processor.
func (j *job) takeTurns() error {
	var processes, processors C.int
	var apart C.bool
	if err := check(C.mangrove_crowd(C.longlong(share(os.DirFS("/proc"))), &processes, &processors, &apart)); err != nil {
		return err
	}
	j.crowd = crowd{int(processes), int(processors), bool(apart), library == openMPI}
	C.mangrove_take_turns(C.bool(j.crowd.eager()), C.long(j.crowd.turn()))
	return nil
}

// unconnected is the error of a process that does not find the others.
func unconnected(n int, variable string) error {
	return fmt.Errorf("mpi: one of %d processes (%s) that do not find each other: start them with the mpirun of the MPI library that the program was built for, or with srun --mpi=pmix or --mpi=pmi2 ('srun --mpi=list' says what there is)%s", n, variable, orAlone(variable))
}

// do has the thread that talks to MPI do something.
func (j *job) do(call func() error) (err error) {
	done := make(chan struct{})
	j.calls <- func() {
		j.talking.Lock()
		defer j.talking.Unlock()
		err = call()
		close(done)
	}
	<-done
	return err
}

// check turns what MPI returns into an error.
func check(code C.int) error {
	switch code {
	case 0:
		return nil
	case C.one_thread:
		return errors.New("mpi: this library was built for programs of one thread; want one that provides MPI_THREAD_SERIALIZED")
	}
	var text [1024]C.char
	C.mangrove_text(code, &text[0])
	return fmt.Errorf("mpi: %s", C.GoString(&text[0]))
}

func (j *job) Index() int { return j.index }
func (j *job) Count() int { return j.count }

func (j *job) Min(t clock.Time) (clock.Time, error) {
	own := C.longlong(t)
	err := j.do(func() error { return check(C.mangrove_min(&own)) })
	return clock.Time(own), err
}

// Exchange asks the thread that talks to MPI once: to wake it takes longer than what it says to others on the same host.
func (j *job) Exchange(out [][]byte) ([][]byte, error) {
	if err := j.do(func() error { return j.exchange(out) }); err != nil {
		return nil, err
	}
	return j.in, nil
}

// exchange has a buffer for each other process, which grows as it must.
func (j *job) exchange(out [][]byte) error {
	outLengths, inLengths := j.lengths[:j.count], j.lengths[j.count:]
	for i := range out {
		outLengths[i] = C.longlong(len(out[i]))
	}
	if err := check(C.mangrove_lengths(&outLengths[0], &inLengths[0])); err != nil {
		return err
	}
	j.in[j.index] = append(j.in[j.index][:0], out[j.index]...)
	for i, n := range inLengths {
		if i != j.index {
			j.in[i] = resized(j.in[i], int(n))
		}
	}
	return j.transfer(out)
}

// resized is a buffer of that length; what was in it is lost.
func resized(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// transfer sends and receives batches whose lengths all know.
func (j *job) transfer(out [][]byte) error {
	var pinned runtime.Pinner
	defer pinned.Unpin()
	for i := range out {
		if i == j.index {
			continue
		}
		if n := len(j.in[i]); n > 0 {
			pinned.Pin(&j.in[i][0])
			if err := check(C.mangrove_receive(C.int(i), unsafe.Pointer(&j.in[i][0]), C.longlong(n))); err != nil {
				return err
			}
		}
		if n := len(out[i]); n > 0 {
			pinned.Pin(&out[i][0])
			if err := check(C.mangrove_send(C.int(i), unsafe.Pointer(&out[i][0]), C.longlong(n))); err != nil {
				return err
			}
		}
	}
	return check(C.mangrove_wait())
}

// Send copies the message: MPI may take it later.
func (j *job) Send(to int, message []byte) error {
	if len(message) > math.MaxInt32-1 {
		return tooLong(message)
	}
	return j.do(func() error {
		return check(C.mangrove_post(C.int(to), unsafe.Pointer(unsafe.SliceData(message)), C.int(len(message))))
	})
}

// Receive looks for a message again and again, less often the longer there is none.
func (j *job) Receive() (from int, message []byte, err error) {
	for since, pause := time.Now(), shortestPause; ; pause = nextPause(pause, time.Since(since)) {
		there := false
		err = j.do(func() (err error) {
			from, message, there, err = j.look()
			return err
		})
		if err != nil || there {
			return from, message, err
		}
		time.Sleep(pause)
	}
}

// look takes the next message, if there is one.
func (j *job) look() (from int, message []byte, there bool, err error) {
	var sender, length C.int
	if err := check(C.mangrove_probe(&sender, &length)); err != nil || sender < 0 {
		return 0, nil, false, err
	}
	message = make([]byte, length)
	return int(sender), message, true, check(C.mangrove_take(sender, unsafe.Pointer(unsafe.SliceData(message)), length))
}

// Leave ends what this process has to do with the job that it has joined, or has failed to. All processes must do so, in the same order of things.
func Leave() {
	if group, err := once(); err == nil {
		within(leavePatience, func() { _ = group.(*job).do(func() error { return check(C.mangrove_leave()) }) })
	}
	say(goodbye)
}

// within does something, and goes on without it if it takes too long; with no patience at all it waits.
func within(patience time.Duration, do func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	var tooLong <-chan time.Time
	if patience > 0 {
		tooLong = time.After(patience)
	}
	select {
	case <-done:
	case <-tooLong:
	}
}

// Abort ends the whole job at once, with that exit status. It may be called while others talk to MPI.
func Abort(status int) {
	say(goodbye)
	C.mangrove_abort(C.int(status))
}
