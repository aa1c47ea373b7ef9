package tcp

import (
	"time"

	"github.com/mangrove-emu/mangrove/report"
)

// Failures are all that have happened so far, those of ranks that have come back included, in the order in
// which they happened.
func (c *Coordinator) Failures() (all []report.Failure) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range c.failures {
		all = append(all, report.Failure{Rank: f.Rank, Outcome: f.Outcome, Time: f.Exit})
	}
	return all
}

// Pretend lets a process take itself for one of another host, whose clock shows something else than that of this one.
func (n *Node) Pretend(skewed func(own time.Duration) time.Duration) { n.skewed = skewed }

// Elapsed is how long the run has been going on by the clock of a process, and by how much that was wrong at most so far.
func (n *Node) Elapsed() (elapsed, wrong time.Duration) { return n.elapsed(), n.clockError() }

// Elapsed is how long the run has been going on.
func (c *Coordinator) Elapsed() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now() - c.startAt
}

// SharesClock says that a process has the clock of the coordinator's host.
func (n *Node) SharesClock() bool { return n.steered == nil }

// TimePause is after how long processes ask again what time it is.
const TimePause = timePause

// RunCarried is RunLocal with a carrier for each process.
var RunCarried = runLocal
