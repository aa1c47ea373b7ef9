package handout

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/mangrove-emu/mangrove/emu/parts"
)

// Office is where tasks are handed out, by the first process of a group. The others serve.
type Office struct {
	group parts.Mail
	hands int
	free  chan int // processes, once for each hand that is free

	mu     sync.Mutex // guards what follows
	last   uint64
	asked  map[uint64]chan answer
	broken error // why no more answers come

	closed chan struct{} // no more messages come
}

// answer is what came of a task.
type answer struct {
	content []byte
	err     error
}

// Open waits until all other processes serve.
func Open(group parts.Mail) (*Office, error) {
	o := &Office{group: group, asked: make(map[uint64]chan answer), closed: make(chan struct{})}
	hands := make([]int, group.Count())
	for range group.Count() - 1 {
		from, message, err := group.Receive()
		if err != nil {
			return nil, err
		}
		k, number, _, err := unpack(message)
		if err == nil && k != hello {
			err = fmt.Errorf("handout: process %d has said nothing of its hands", from)
		}
		if err != nil {
			return nil, err
		}
		hands[from] = int(number)
		o.hands += int(number)
	}
	o.free = make(chan int, o.hands)
	for turn := 0; len(o.free) < o.hands; turn++ { // one of each process first
		for process, n := range hands {
			if turn < n {
				o.free <- process
			}
		}
	}
	go o.receive()
	return o, nil
}

// Hands is how many tasks can be done at a time.
func (o *Office) Hands() int { return o.hands }

// Do has a task done by whoever is free, and returns what came of it.
func (o *Office) Do(ctx context.Context, what []byte) ([]byte, error) {
	var process int
	select {
	case process = <-o.free:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	into, number, err := o.ask()
	if err == nil {
		err = o.group.Send(process, pack(task, number, what))
	}
	if err != nil {
		return nil, err
	}
	select {
	case a := <-into:
		o.free <- process
		return a.content, a.err
	case <-ctx.Done(): // the hand stays busy, and the office waits for it when it closes
		return nil, context.Cause(ctx)
	}
}

// ask makes a place for an answer.
func (o *Office) ask() (into chan answer, number uint64, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last++
	into = make(chan answer, 1)
	o.asked[o.last] = into
	return into, o.last, o.broken
}

// receive passes on answers until all processes have said goodbye.
func (o *Office) receive() {
	defer close(o.closed)
	for left := o.group.Count() - 1; left > 0; {
		_, message, err := o.group.Receive()
		if err != nil {
			o.fail(err)
			return
		}
		k, number, content, err := unpack(message)
		switch {
		case err != nil:
			o.fail(err)
			return
		case k == bye:
			left--
		case k == result:
			o.answer(number, answer{content: content})
		case k == failed:
			o.answer(number, answer{err: errors.New(string(content))})
		}
	}
}

// answer gives an answer to who has asked.
func (o *Office) answer(number uint64, a answer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if into := o.asked[number]; into != nil {
		into <- a
		delete(o.asked, number)
	}
}

// fail gives all who have asked an error, and all who will.
func (o *Office) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.broken = err
	for number, into := range o.asked {
		into <- answer{err: err}
		delete(o.asked, number)
	}
}

// Close tells all processes that there is nothing left to do, and waits until they have done what they were at.
func (o *Office) Close() error {
	for process := 1; process < o.group.Count(); process++ {
		if err := o.group.Send(process, pack(end, 0, nil)); err != nil {
			return err
		}
	}
	<-o.closed
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.broken
}
