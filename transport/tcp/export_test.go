package tcp

import "github.com/mangrove-emu/mangrove/report"

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
