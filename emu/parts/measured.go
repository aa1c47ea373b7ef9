package parts

import (
	"time"

	"github.com/mangrove-emu/mangrove/clock"
)

// Cost is what a part has spent between its first call and its last one.
type Cost struct {
	Work      time.Duration // between calls
	Waiting   time.Duration // for parts that had not come to an exchange yet
	Agreement time.Duration // in Min
	Exchange  time.Duration // in Exchange, when all were there

	Agreements, Exchanges int
	Bytes                 int64 // given to other parts
}

// Measured is a group that measures what its calls take. All parts must use one, or none: each exchange begins with a call of Min, to tell
// waiting for others from exchanging. Measured runs are therefore a little slower than others, and come to the same.
type Measured struct {
	Group
	Cost Cost
	last time.Time // when the last call returned
}

// Measure makes a group that measures. Its cost is to be read when no call is under way.
func Measure(g Group) *Measured { return &Measured{Group: g} }

// lap returns how long ago the last lap was.
func (m *Measured) lap() time.Duration {
	now := time.Now()
	passed := now.Sub(m.last)
	m.last = now
	return passed
}

// work counts what was done since the last call. What came before the first one belongs to nothing.
func (m *Measured) work() {
	first := m.last.IsZero()
	if passed := m.lap(); !first {
		m.Cost.Work += passed
	}
}

// Min is that of the group.
func (m *Measured) Min(t clock.Time) (clock.Time, error) {
	m.work()
	least, err := m.Group.Min(t)
	m.Cost.Agreement += m.lap()
	m.Cost.Agreements++
	return least, err
}

// Exchange is that of the group, when all are there.
func (m *Measured) Exchange(out [][]byte) ([][]byte, error) {
	m.work()
	_, err := m.Group.Min(0)
	m.Cost.Waiting += m.lap()
	if err != nil {
		return nil, err
	}
	in, err := m.Group.Exchange(out)
	m.Cost.Exchange += m.lap()
	m.Cost.Exchanges++
	for to := range out {
		if to != m.Index() {
			m.Cost.Bytes += int64(len(out[to]))
		}
	}
	return in, err
}
