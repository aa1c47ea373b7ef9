// Package draw has what the property tests of several packages draw with rapid: machines,
// ranks and schedules of faults. Everything is drawn before a run starts, small things
// first, so that a case that fails shrinks to few ranks, cheap messages and few faults.
package draw
