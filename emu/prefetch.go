package emu

// A million ranks take gigabytes, so waking one finds nothing of it in the cache: not the
// goroutine's descriptor, not its stack, not its channel. One after the other these misses
// would take most of a run's time. So a worker asks the processor for all that a batch
// needs before it wakes the first rank of it; the misses then overlap.
//
// A prefetch is a hint. It never faults and changes nothing, whatever the address, so it
// does no harm that a stack may have been moved meanwhile. The only memory that is really
// read for it is the channel, which the rank holds.

// location is where a parked rank lies in memory.
type location struct {
	goroutine uintptr
	frame     uintptr // somewhere near the top of its stack
}

// waits reports whether the rank has a goroutine that is parked or at rest.
func (r *rank) waits() bool { return r.state == alive || r.resting || r.lingered() }

// prefetch asks for the memory that waking these ranks will touch, in two rounds: the
// first brings the channels, in which the second looks up more.
func (m *Machine) prefetch(batch []int32) {
	for _, id := range batch {
		if r := &m.ranks[id]; r.waits() {
			prefetchParked(m.locations[id].goroutine, m.locations[id].frame, r.box.Address())
		}
	}
	for _, id := range batch {
		if r := &m.ranks[id]; r.waits() {
			prefetchWaiter(r.box.Address())
		}
	}
}
