package tuning

import (
	"fmt"
	"math"
	"sort"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// Curve is the expected spread of gossip that nobody ends (Corrected Gossip, lemma 1). It
// never changes once made and is safe for concurrent use.
//
// Ranks are coloured and begin messages at few instants only: the root begins one at every
// multiple of S = max(o,g); each is delivered D = 2o+L later, and so on. So all instants
// are sums of multiples of S and D. Where S divides L they are the multiples of S, and the
// senders of an instant are all ranks coloured so far, which is equation 1. Elsewhere ranks
// that were coloured at different instants take turns, and we keep the senders of each
// instant apart: those who sent S before, and the newly coloured.
//
// As in the paper, a rank receives any number of messages at the same time. On machines
// without ManyReceives ranks lag behind the curve once most messages go to coloured ranks.
type Curve struct {
	machine  clock.LogP
	alive    int
	until    clock.Time
	instants []instant // ascending

	// Positions of the first instants whose next message, and whose deliveries, are not
	// listed yet.
	resend, delivery int
}

type instant struct {
	time      clock.Time
	unreached float64 // live ranks not coloured yet; kept instead of the coloured for its precision near 0
	senders   float64 // ranks that begin a message at this instant
	sent      float64 // messages begun up to this instant
}

// maxInstants bounds memory and the time of a search. More are needed only if the latency, or
// the gap, is that of a hundred thousand messages, or if gossip looks for a few live ranks
// among millions that are down.
const maxInstants = 1 << 18

// NewCurve computes the spread of gossip on the machine, failures of whose ranks are down,
// up to an instant.
func NewCurve(machine clock.LogP, failures int, until clock.Time) (*Curve, error) {
	var bad problems.List
	checkMachine(&bad, machine, failures)
	checkTime(&bad, "until", until)
	if err := bad.Err("tuning"); err != nil {
		return nil, err
	}
	c := newCurve(machine, failures)
	return c, c.grow(until)
}

// newCurve knows the root only.
func newCurve(machine clock.LogP, failures int) *Curve {
	alive := machine.Ranks - failures
	root := instant{time: 0, unreached: float64(alive - 1), senders: 1, sent: 1}
	return &Curve{machine: machine, alive: alive, instants: []instant{root}}
}

// Reached is the expected number of coloured ranks at an instant up to the end of the
// curve, the paper's c(t).
func (c *Curve) Reached(t clock.Time) float64 {
	if t < 0 {
		return 0
	}
	return float64(c.alive) - c.Unreached(t)
}

// Unreached is the expected number of live ranks that are not coloured, n-c(t). It is
// precise where it is small, too.
func (c *Curve) Unreached(t clock.Time) float64 {
	if before := c.before(t + 1); before > 0 {
		return c.instants[before-1].unreached
	}
	return float64(c.alive)
}

// Messages is the expected number of gossip messages if nobody begins one at the given
// instant or later.
func (c *Curve) Messages(end clock.Time) float64 {
	if before := c.before(end); before > 0 {
		return c.instants[before-1].sent
	}
	return 0
}

// After is what gossip that ends at T leaves on the ring when correction starts, at T+L+o.
//
// Messages begun in the last o-1 ticks before T are not counted. Where o divides L and T
// there are none; elsewhere they come while others correct already, and only help.
func (c *Curve) After(end clock.Time) Ring {
	return c.ring(c.Unreached(correctionStart(c.machine, end)))
}

// ring has all ranks that are down, and so many others, uncoloured.
func (c *Curve) ring(unreached float64) Ring {
	ranks, alive := float64(c.machine.Ranks), float64(c.alive)
	return Ring{
		ranks:   c.machine.Ranks,
		reached: (alive - unreached) / ranks,
		missed:  (ranks - alive + unreached) / ranks,
	}
}

// before is the number of instants before t.
func (c *Curve) before(t clock.Time) int {
	if t > c.until+1 {
		panic(fmt.Sprintf("tuning: asked for t=%d of a curve until t=%d", t, c.until))
	}
	return sort.Search(len(c.instants), func(i int) bool { return c.instants[i].time >= t })
}

// grow lists the instants up to t.
func (c *Curve) grow(t clock.Time) error {
	for c.next() <= t {
		if len(c.instants) == maxInstants {
			return c.tooLong(t)
		}
		c.step()
	}
	c.until = max(c.until, t)
	return nil
}

func (c *Curve) tooLong(t clock.Time) error {
	m := c.machine
	return problems.New("tuning", "gossip on N = %d ranks, %d of them live, with L = %d, o = %d, g = %d ticks "+
		"has more than %d instants of sending up to t = %d, want at most that",
		m.Ranks, c.alive, m.Latency, m.Overhead, m.Gap, maxInstants, t)
}

// next is the first instant not listed yet.
func (c *Curve) next() clock.Time {
	return min(c.nextResend(), c.nextDelivery())
}

func (c *Curve) nextResend() clock.Time {
	return c.instants[c.resend].time + c.machine.Costs().Spacing
}

func (c *Curve) nextDelivery() clock.Time {
	return c.instants[c.delivery].time + c.machine.Delivery()
}

// step lists the next instant.
func (c *Curve) step() {
	last := c.instants[len(c.instants)-1]
	now := instant{time: c.next(), unreached: last.unreached}
	sending, arriving := c.nextResend() == now.time, c.nextDelivery() == now.time
	if arriving {
		now.unreached *= c.missedByAll(c.instants[c.delivery].senders)
		now.senders = last.unreached - now.unreached
		c.delivery++
	}
	if sending {
		now.senders += c.instants[c.resend].senders
		c.resend++
	}
	now.sent = last.sent + now.senders
	c.instants = append(c.instants, now)
}

// missedByAll is the chance that none of the messages of so many ranks goes to a given other
// rank.
func (c *Curve) missedByAll(senders float64) float64 {
	if senders == 0 {
		return 1 // of two ranks, one misses the other with chance 0, whose logarithm is infinite
	}
	return math.Exp(senders * math.Log1p(-1/float64(c.machine.Ranks-1)))
}
