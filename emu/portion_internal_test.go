package emu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

// dividing is a machine with so many units, all of which are due or every third.
func dividing(units, workers, step int) *Machine {
	m := &Machine{workers: make([]worker, workers), unitMin: make([]clock.Time, units)}
	for unit := 0; unit < units; unit += step {
		m.due = append(m.due, int32(unit))
	}
	m.divide()
	return m
}

// Each unit that is due is in one portion, and in the same one whatever else is due.
func TestPortionsAreTheSameInAllWindows(t *testing.T) {
	for units := 1; units < 20; units++ {
		for workers := 1; workers < 8; workers++ {
			home := make(map[int32]int)
			for _, step := range []int{1, 3} {
				m := dividing(units, workers, step)
				seen := 0
				for i := range m.workers {
					p := &m.workers[i].portion
					for at := p.next.Load(); at < p.end; at++ {
						unit := m.due[at]
						seen++
						if step == 1 {
							home[unit] = i
						}
						require.Equal(t, home[unit], i, "unit %d of %d, %d workers", unit, units, workers)
					}
					require.LessOrEqual(t, p.end-p.next.Load(), int64(units/workers+1), "nobody has much more than others")
				}
				require.Len(t, m.due, seen, "%d units, %d workers", units, workers)
			}
		}
	}
}
