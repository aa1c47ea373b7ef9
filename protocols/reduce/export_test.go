package reduce

import "github.com/mangrove-emu/mangrove/clock"

// Patient returns the same reduce with deadlines so far away that none matters unless
// somebody has failed.
func (r *Reduce) Patient() *Reduce {
	patient := *r
	patient.wait = deadlines{exchange: 1 << 40, level: 1 << 40, height: r.wait.height, last: 1 << 50}
	return &patient
}

// Exchange is the deadline of the exchange, in ticks after the beginning.
func (r *Reduce) Exchange() clock.Time { return r.wait.exchange }
