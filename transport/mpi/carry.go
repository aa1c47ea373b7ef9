//go:build mpi

package mpi

// #include "talk.h"
import "C"

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"
	"unsafe"
)

// Carrier takes messages of ranks from process to process of this job, by MPI's messages from one process to another (it is a tcp.Carrier). Only one run
// at a time may use it.
type Carrier struct{ job *job }

// NewCarrier is that of the job that this process belongs to.
func NewCarrier() (*Carrier, error) {
	group, err := once()
	if err != nil {
		return nil, err
	}
	return &Carrier{group.(*job)}, nil
}

// talk has MPI do something. Nobody is waited for who would have to be woken.
func (c *Carrier) talk(call func() C.int) error {
	c.job.talking.Lock()
	defer c.job.talking.Unlock()
	return check(call())
}

// Send gives a message to another process.
func (c *Carrier) Send(process int, message []byte) error {
	if len(message) > math.MaxInt32-1 {
		return tooLong(message)
	}
	return c.talk(func() C.int {
		return C.mangrove_carry(C.int(process), unsafe.Pointer(unsafe.SliceData(message)), C.int(len(message)))
	})
}

// Receive hands over what comes until the context ends.
func (c *Carrier) Receive(ctx context.Context, deliver func(process int, message []byte)) error {
	for looked := 0; ctx.Err() == nil; looked++ {
		var from, length C.int
		var message unsafe.Pointer
		err := c.talk(func() C.int { return C.mangrove_fetch(&from, &length, &message) })
		switch {
		case err != nil:
			return err
		case from >= 0:
			deliver(int(from), unsafe.Slice((*byte)(message), int(length)))
			C.mangrove_drop(message)
			looked = 0
		default:
			c.rest(looked)
		}
		runtime.Gosched() // who has got something goes on at once, here
	}
	return nil
}

// How often to look before others are let have the processor whenever they want it (at once if all must take turns), then for a short time in any case, and
// then for longer. The second is after some milliseconds, so that processes that take turns, with more of them than processors, do not wait for each other's naps.
const (
	eagerLooks   = 100
	patientLooks = 5000
	tiredLooks   = patientLooks + 500
)

// rest lets others have the processor after so many looks without a message.
func (c *Carrier) rest(looked int) {
	switch {
	case looked < eagerLooks && c.job.crowd.eager():
	case looked < patientLooks:
		C.mangrove_yield()
	case looked < tiredLooks:
		C.mangrove_nap(50)
	default:
		C.mangrove_nap(500)
	}
}

// Flush waits until another process has received what was sent to it.
func (c *Carrier) Flush(ctx context.Context, process int) {
	var parted C.int
	err := c.talk(func() C.int { return C.mangrove_farewell(C.int(process)) })
	for err == nil && parted == 0 && ctx.Err() == nil {
		err = c.talk(func() C.int { return C.mangrove_parted(C.int(process), &parted) })
		time.Sleep(flushPause)
	}
}

// flushPause is the time between two looks whether something has arrived.
const flushPause = 100 * time.Microsecond

// Forget gives up what was sent to a process.
func (c *Carrier) Forget(process int) {
	c.job.talking.Lock()
	defer c.job.talking.Unlock()
	C.mangrove_forget(C.int(process))
}

func tooLong(message []byte) error {
	return fmt.Errorf("mpi: a message of %d bytes, want %d at most", len(message), math.MaxInt32-1)
}
