package carriertest

import (
	"bytes"
	"context"
	"sync"
)

// Carrier is the part of one process in what all of them share.
type Carrier struct {
	process int
	all     []*Carrier

	mu        sync.Mutex
	changed   sync.Cond
	queue     []message
	taken     []int // how many messages of each process were taken from here
	sent      []int // how many were sent to each process
	Forgotten []int // processes that take nothing any more, in order
}

type message struct {
	from int
	text []byte
}

// New makes the parts of so many processes.
func New(processes int) []*Carrier {
	all := make([]*Carrier, processes)
	for i := range all {
		all[i] = &Carrier{process: i, all: all, taken: make([]int, processes), sent: make([]int, processes)}
		all[i].changed.L = &all[i].mu
	}
	return all
}

// Send puts a copy of the message into the queue of the other process.
func (c *Carrier) Send(process int, text []byte) error {
	c.mu.Lock()
	c.sent[process]++
	c.mu.Unlock()
	to := c.all[process]
	to.mu.Lock()
	defer to.mu.Unlock()
	to.queue = append(to.queue, message{c.process, bytes.Clone(text)})
	to.changed.Broadcast()
	return nil
}

// Receive takes messages out of the queue until the context ends.
func (c *Carrier) Receive(ctx context.Context, deliver func(process int, text []byte)) error {
	defer context.AfterFunc(ctx, c.wake)()
	for {
		m, ok := c.next(ctx)
		if !ok {
			return nil
		}
		deliver(m.from, m.text)
		clear(m.text) // nobody may keep it
		c.mu.Lock()
		c.taken[m.from]++
		c.changed.Broadcast()
		c.mu.Unlock()
	}
}

// next waits for a message; false if the context ends before.
func (c *Carrier) next(ctx context.Context) (m message, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.queue) == 0 && ctx.Err() == nil {
		c.changed.Wait()
	}
	if ctx.Err() != nil {
		return m, false
	}
	m, c.queue = c.queue[0], c.queue[1:]
	return m, true
}

func (c *Carrier) wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changed.Broadcast()
}

// Flush waits until the other process has taken all that was sent to it.
func (c *Carrier) Flush(ctx context.Context, process int) {
	c.mu.Lock()
	sent := c.sent[process]
	c.mu.Unlock()
	to := c.all[process]
	defer context.AfterFunc(ctx, to.wake)()
	to.mu.Lock()
	defer to.mu.Unlock()
	for to.taken[c.process] < sent && ctx.Err() == nil {
		to.changed.Wait()
	}
}

// Forget notes that nothing more goes to a process.
func (c *Carrier) Forget(process int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Forgotten = append(c.Forgotten, process)
}
