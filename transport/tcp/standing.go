package tcp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/report"
)

// A run that is not over when it should be is described: by asking all processes how their ranks are, and by who does not answer.

// standing is how a rank is that has not come to its end.
type standing struct {
	Rank int
	Wait *report.Wait `json:",omitempty"` // for a message, and nothing else will wake it; nil: it computes, or waits until an instant
}

// mostStanding is how many ranks of a process are told of, and how many lines a description has of each kind.
const mostStanding = 8

// standing is how the ranks here are; of those that have returned or failed there is nothing to say.
func (n *Node) standing() *[]standing {
	all := []standing{} // and not null
	for i := range n.ranks {
		if s, ok := n.ranks[i].Load().standing(); ok && len(all) < mostStanding {
			all = append(all, s)
		}
	}
	return &all
}

// standing is how the rank is, unless it has come to its end.
func (r *rank) standing() (s standing, ok bool) {
	if r.hasEnded() {
		return s, false
	}
	r.box.mu.Lock()
	defer r.box.mu.Unlock()
	s.Rank = r.id
	if w := r.box.waiting; r.box.parked {
		wait := report.WaitIn(w.call, r.id, w.want, r.node.program.KindName, w.since)
		s.Wait = &wait
	}
	return s, true
}

// answerPatience is how long processes may take to say how their ranks are. One that lives takes a fraction of that.
const answerPatience = time.Second

// Describe says why a run is not over: which processes do not answer and since when nothing was heard of them, which ranks are running and what others wait
// for, each in a line that begins with a line break and is indented; "" if there is nothing to say.
func (c *Coordinator) Describe() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.started || c.over {
		return c.describeEnd()
	}
	asked := c.now()
	for _, m := range c.members {
		m.standing = nil
	}
	c.broadcast(control{Describe: true})
	ctx, cancel := context.WithTimeout(context.Background(), answerPatience)
	defer cancel()
	c.await(ctx, func() bool { return len(c.silent()) == 0 }) // or not
	var d description
	for _, m := range c.silent() {
		d.add(fmt.Sprintf("%s does not answer; it was heard last %s ago, at t=%d", c.named(m), (asked - m.heard).Round(time.Millisecond), c.ticksAt(m.heard)))
	}
	d.cut("processes")
	for _, m := range c.members {
		if m.state == expected {
			d.add(fmt.Sprintf("%s has been started again and has not joined", c.named(m)))
		}
	}
	d.cut("processes")
	for _, running := range []bool{true, false} {
		for _, m := range c.members {
			if !m.live() || m.standing == nil {
				continue
			}
			for _, s := range *m.standing {
				if (s.Wait == nil) == running {
					d.add(s.text())
				}
			}
		}
		d.cut("ranks")
	}
	return d.text.String()
}

// describeEnd is Describe of a run that is over but for some reports.
func (c *Coordinator) describeEnd() string {
	var d description
	for _, m := range c.members {
		if c.over && m.live() {
			d.add(c.named(m) + " has not reported, though the run is over")
		}
	}
	d.cut("processes")
	return d.text.String()
}

// silent are the processes that live, as far as is known, and have not answered.
func (c *Coordinator) silent() (all []*member) {
	for _, m := range c.members {
		if m.live() && m.standing == nil {
			all = append(all, m)
		}
	}
	return all
}

// named is a process with its ranks.
func (c *Coordinator) named(m *member) string {
	ranks := c.layout.of(m.process)
	if len(ranks) == 1 {
		return fmt.Sprintf("process %d (rank %d)", m.process, ranks[0])
	}
	return fmt.Sprintf("process %d (ranks %d to %d)", m.process, ranks[0], ranks[len(ranks)-1])
}

// ticksAt is how far the run was when the coordinator's clock showed something.
func (c *Coordinator) ticksAt(t time.Duration) clock.Time {
	return max(0, clock.Time((t-c.startAt)/c.cfg.Tick))
}

func (s *standing) text() string {
	if s.Wait == nil {
		return fmt.Sprintf("rank %d is running", s.Rank)
	}
	return fmt.Sprintf("rank %d waits in %s(%s) since t=%d", s.Rank, s.Wait.Call, s.Wait.Want, s.Wait.Since)
}

// description is some lines, of which each kind is cut short.
type description struct {
	text  strings.Builder
	lines int // of this kind
}

func (d *description) add(line string) {
	if d.lines++; d.lines <= mostStanding {
		d.text.WriteString("\n  " + line)
	}
}

// cut ends a kind of lines.
func (d *description) cut(what string) {
	if more := d.lines - mostStanding; more > 0 {
		fmt.Fprintf(&d.text, "\n  and %d more %s", more, what)
	}
	d.lines = 0
}

// listProcesses names some processes.
func listProcesses(all []int) string {
	if len(all) == 1 {
		return fmt.Sprintf("process %d has", all[0])
	}
	var parts []string
	for _, process := range all[:min(len(all), mostStanding)] {
		parts = append(parts, fmt.Sprint(process))
	}
	if more := len(all) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return "processes " + text.List(parts) + " have"
}
