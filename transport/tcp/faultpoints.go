package tcp

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// fate is a fault that strikes a rank, and where in the schedule it stands.
type fate struct {
	faults.Fault
	index int
	fired bool
}

// Counts is how often a rank has done what faults are tied to, in all its lives.
type Counts struct {
	Sends    int            `json:",omitempty"`
	Receives int            `json:",omitempty"`
	Steps    map[string]int `json:",omitempty"`
	Slowed   []int          `json:",omitempty"` // the slow-downs that took effect on the way, by their places in the schedule
	Struck   []int          `json:",omitempty"` // what has struck at a place in the program, in the same way: it does so once
}

// faultPoints are the faults of one rank. All but those at times belong to its goroutine alone.
type faultPoints struct {
	points []*fate
	timed  *fate // the first failure at a time, after which there can be no other

	mu     sync.Mutex // for those who ask about a rank that fails at a time
	slow   []slowdown
	counts Counts
}

// soFar returns a copy of the counts.
func (p *faultPoints) soFar() Counts {
	if p == nil {
		return Counts{}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.counts
	c.Steps, c.Slowed, c.Struck = maps.Clone(c.Steps), slices.Clone(c.Slowed), slices.Clone(c.Struck)
	return c
}

// slowdown makes everything take longer from an instant on.
type slowdown struct {
	from   clock.Time
	factor int
}

// armFaults makes the faults of a rank strike. Counts are those of its former lives.
func (n *Node) armFaults(r *rank, counts Counts) {
	all := fatesOf(n.cfg.Faults, r.id)
	if len(all) == 0 {
		return
	}
	p := &faultPoints{counts: counts}
	for _, f := range all {
		switch {
		case f.At.Anchor != faults.AtTime:
			f.fired = slices.Contains(counts.Struck, f.index)
			p.points = append(p.points, f)
		case f.Kind == faults.Slow:
			p.slow = append(p.slow, slowdown{f.At.Time, f.Factor})
		case f.At.Time == 0 && r.life == 0:
			r.stillborn = f
		case f.At.Time > r.born && (p.timed == nil || f.At.Time < p.timed.At.Time):
			p.timed = f
		}
	}
	slices.SortStableFunc(p.slow, func(a, b slowdown) int { return cmp.Compare(a.from, b.from) })
	for _, i := range counts.Slowed {
		p.slow = append(p.slow, slowdown{0, n.cfg.Faults[i].Factor})
	}
	r.faults = p
	if f := p.timed; f != nil { // at last: it may strike at once
		r.doomed.Store(true)
		n.at(f.At.Time, func() { r.fail(f) })
	}
}

// fatesOf returns the faults of a rank, with their places in the schedule.
func fatesOf(schedule faults.Schedule, rank int) (all []*fate) {
	for i, f := range schedule {
		if f.Kind != faults.Cut && f.Kind != faults.Rejoin && f.Rank == rank {
			all = append(all, &fate{Fault: f, index: i})
		}
	}
	return all
}

// step counts a passage of a step and returns what strikes there.
func (p *faultPoints) step(name string) *fate {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.counts.Steps == nil {
		p.counts.Steps = make(map[string]int)
	}
	p.counts.Steps[name]++
	return p.at(faults.AtStep, name, p.counts.Steps[name])
}

func (p *faultPoints) beforeSend() *fate { return p.atSend(faults.BeforeSend, 0) }
func (p *faultPoints) duringSend() *fate { return p.atSend(faults.MidSend, 0) }
func (p *faultPoints) afterSend() *fate  { return p.atSend(faults.AfterSend, 1) }

// atSend returns what strikes at a send, of which so many have just been completed.
func (p *faultPoints) atSend(anchor faults.Anchor, completed int) *fate {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts.Sends += completed
	return p.at(anchor, "", p.counts.Sends+1-completed)
}

// receive counts a message that the program is handed, and returns what strikes there.
func (p *faultPoints) receive() *fate {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts.Receives++
	return p.at(faults.AtRecv, "", p.counts.Receives)
}

// at returns the fault that strikes at a point, if any. Slow-downs take effect by themselves.
func (p *faultPoints) at(anchor faults.Anchor, step string, n int) *fate {
	for _, f := range p.points {
		if f.fired || f.At.Anchor != anchor || f.At.N != n || f.At.Step != step {
			continue
		}
		f.fired = true
		p.counts.Struck = append(p.counts.Struck, f.index)
		if f.Kind != faults.Slow {
			return f
		}
		p.slow = append(p.slow, slowdown{0, f.Factor}) // from now on
		p.counts.Slowed = append(p.counts.Slowed, f.index)
	}
	return nil
}

// slowness is how many times as long everything takes: what the last slow-down says.
func (p *faultPoints) slowness(now clock.Time) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	factor := 1
	for _, s := range p.slow {
		if s.from <= now {
			factor = s.factor
		}
	}
	return factor
}

// strike lets the rank fail, if there is a reason.
func (r *rank) strike(f *fate) {
	if f == nil {
		return
	}
	r.fail(f)
	r.end()
}

// strikeInSend lets the rank fail in the middle of a send. A process that really dies leaves half
// of the message behind; if it has other ranks, their messages must not be spoilt.
func (r *rank) strikeInSend(f *fate, message wire.Frame) {
	if r.node.cfg.Signals {
		r.node.sendHalf(message)
	}
	r.strike(f)
}

// fail ends the rank, or lets it hang. It comes back only if faults are not real.
func (r *rank) fail(f *fate) {
	if r.fall(f) {
		if f.Kind == faults.Crash {
			r.box.close()
		}
		close(r.stop)
	}
}

// fall notes that the rank fails and tells others, unless it has failed before or the run is over.
func (r *rank) fall(f *fate) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.node.isOver() || r.status.outcome.Failed() {
		return false
	}
	t := max(r.node.now(), r.from)
	switch {
	case f == r.stillborn:
		t = 0 // it does nothing, whenever its process gets round to that
	case f.At.Anchor == faults.AtTime:
		t = max(t, f.At.Time)
	}
	r.status.fate, r.status.exit = f, t
	r.status.outcome = report.Crashed
	if f.Kind == faults.Hang {
		r.status.outcome = report.Hung
	}
	r.node.rankFails(r)
	return true
}
