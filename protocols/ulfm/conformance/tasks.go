package conformance

import (
	"strconv"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// A master hands out work.

const (
	tagWork   = 100
	tagResult = 200
	finish    = "finish"
	pieces    = 10
)

var (
	tasksBlankC        = blankTasks("c/errh_blank")
	tasksBlankFortran  = blankTasks("fortran/errh_blank")
	tasksShrinkC       = shrinkTasks("c/errh_shrink")
	tasksShrinkFortran = shrinkTasks("fortran/errh_shrink")
	tasksStartC        = startTasks("c/start")
	tasksStartFortran  = startTasks("fortran/start")
)

const noMaster = "a worker that has lost its master aborts, as it is written"

func blankTasks(name string) Case {
	return Case{
		Suite: Tasks, Name: name, Ranks: 4, Faults: "crash:1@step:die",
		Checks: "a master acknowledges that a worker has failed and gives its work to others, on the same communicator; the sum is right",
		Run: func(r *Rank) {
			r.work(func(c *ulfm.Comm, err error) { // at a worker
				c.Abort(1)
			})
		},
		Explored: Exploration{Fatal: true, Why: noMaster},
		Differs:  withAgree,
	}
}

func startTasks(name string) Case {
	return Case{
		Suite: Tasks, Name: name, Ranks: 4, Faults: "crash:1@step:die", Ending: Aborts,
		Checks: "the starting point of the exercise, with nothing about failures: the run is aborted",
		Run: func(r *Rank) {
			r.World.SetErrhandler(ulfm.ErrorsAbort)
			r.work(func(c *ulfm.Comm, err error) { c.Abort(1) })
			if r.me == 0 {
				r.never("the master comes to an end")
			}
		},
		Wrong: "the run ends with an `AbortError`",
	}
}

// work is the program without Revoke.
func (r *Rank) work(lost func(c *ulfm.Comm, err error)) {
	c, err := r.World.Dup()
	if !r.usable(r.World, "Dup", err) {
		return
	}
	if r.me > 0 {
		for err == nil {
			err = r.serve(c)
		}
		if err != errFinished {
			r.any(c, "worker", err, failed)
			lost(c, err)
		}
		return
	}
	m := newMaster(c)
	for m.left() {
		err := m.round()
		if err == nil {
			continue
		}
		r.any(c, "master", err, failed)
		c.FailureAck()
		for _, member := range c.GetAcked() {
			m.lose(member)
		}
	}
	r.is("sum", m.sum, sumOfSlices)
}

// serve takes one piece of work. The first worker fails with its second.
func (r *Rank) serve(c *ulfm.Comm) error {
	got, err := c.Recv(0, tagWork)
	switch {
	case err != nil:
		return err
	case got.Payload == finish:
		return errFinished
	}
	slice, _ := strconv.ParseInt(got.Payload, 10, 64)
	r.served++
	if r.me == 1 && r.served == 2 {
		r.die()
	}
	return c.Send(0, tagResult, strconv.FormatInt(slice*slice, 10))
}

// master is what the master knows.
type master struct {
	c     *ulfm.Comm
	to    map[int]int64 // what each worker works on, idle if on nothing
	todo  []int64
	sum   int64
	ended bool
}

const (
	idle        = -1
	sumOfSlices = 285 // of squares below 10
)

func newMaster(c *ulfm.Comm) *master {
	m := &master{c: c, to: make(map[int]int64)}
	for i := range int64(pieces) {
		m.todo = append(m.todo, i)
	}
	m.workers()
	return m
}

// workers makes all members idle.
func (m *master) workers() {
	clear(m.to)
	for worker := 1; worker < m.c.Size(); worker++ {
		m.to[worker] = idle
	}
}

// left reports whether there is anything left to do, and somebody to do it.
func (m *master) left() bool { return !m.ended && len(m.to) > 0 }

// lose forgets a worker; what it worked on is to be done again.
func (m *master) lose(worker int) {
	if slice, there := m.to[worker]; there && slice != idle {
		m.todo = append(m.todo, slice)
	}
	delete(m.to, worker)
}

// round gives work to all who are idle and takes results. If there is nothing to do it says so to all.
func (m *master) round() error {
	for worker := 1; worker < m.c.Size(); worker++ {
		if slice, there := m.to[worker]; !there || slice != idle || len(m.todo) == 0 {
			continue
		}
		if err := m.c.Send(worker, tagWork, strconv.FormatInt(m.todo[0], 10)); err != nil {
			return err
		}
		m.to[worker], m.todo = m.todo[0], m.todo[1:]
	}
	for worker := 1; worker < m.c.Size(); worker++ {
		if slice, there := m.to[worker]; !there || slice == idle {
			continue
		}
		got, err := m.c.Recv(worker, tagResult)
		if err != nil {
			return err
		}
		result, _ := strconv.ParseInt(got.Payload, 10, 64)
		m.sum += result
		m.to[worker] = idle
	}
	return m.end()
}

// end tells all workers that there is no work left, once there is none.
func (m *master) end() error {
	if len(m.todo) > 0 {
		return nil
	}
	m.ended = true
	for worker := 1; worker < m.c.Size(); worker++ {
		if _, there := m.to[worker]; there {
			_ = m.c.Send(worker, tagWork, finish) // one that has failed now has done its work
		}
	}
	return nil
}
