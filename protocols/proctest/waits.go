package proctest

import (
	"math/rand/v2"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

var waitCases = []Case{
	{Name: "WaitUntil returns at the instant", on: logP(3), check: waitsFor(0, 1, 2, 4, 9, 25, 26, 27, 100, 163)},
	{Name: "WaitUntil an instant in the past returns at once", on: logP(1), check: waitsFor(50, 49, 50, 0, -5)},
	{Name: "a wait may be as long as a program likes", Exact: true, on: logP(2), check: longWaits},
	{Name: "Step takes no time", on: logP(2), check: stepTakesNoTime},
	{Name: "the clock never goes back", on: logP(4), check: clockNeverGoesBack},
}

// waitsFor has all ranks wait for one instant after the other.
func waitsFor(until ...clock.Time) func(*checker) {
	return func(c *checker) {
		got := gather(c, func(p protocols.Proc) (returned []clock.Time) {
			for _, t := range until {
				p.WaitUntil(t)
				returned = append(returned, p.Now())
			}
			return returned
		})
		for _, returned := range got {
			c.waits("WaitUntil returns", returned, until)
		}
	}
}

// Ranks that sleep for long and for different times still answer each other on time.
func longWaits(c *checker) {
	const long = 1 << 30
	got := gather(c, func(p protocols.Proc) receipt {
		if p.Rank() == 0 {
			p.WaitUntil(long)
			p.Send(1, mailbox.Message{})
			return receive(p, mailbox.Any)
		}
		first := receive(p, mailbox.Any)
		p.WaitUntil(2 * long)
		p.Send(0, mailbox.Message{})
		return first
	})
	c.at("rank 1 receives", got[1].At, long+c.Delivery())
	c.at("rank 0 receives", got[0].At, 2*long+c.Delivery())
}

// Names may be anything.
func stepTakesNoTime(c *checker) {
	got := gather(c, func(p protocols.Proc) [2]clock.Time {
		p.WaitUntil(5)
		before := p.Now()
		for _, name := range []string{"", "once", "twice", "twice", "gefärbt", "a b/c=\x00"} {
			p.Step(name)
		}
		return [2]clock.Time{before, p.Now()}
	})
	for _, span := range got {
		c.waited("the last Step returns", span[1], span[0])
	}
}

// Ranks do all kinds of things at random and look at the clock in between.
func clockNeverGoesBack(c *checker) {
	got := gather(c, func(p protocols.Proc) []clock.Time {
		random := rand.New(rand.NewPCG(1, uint64(p.Rank())))
		var readings []clock.Time
		for range 200 {
			readings = append(readings, p.Now(), p.Now())
			doSomething(p, random)
		}
		return append(readings, p.Now())
	})
	for rank, readings := range got {
		for i := 1; i < len(readings); i++ {
			if readings[i] < readings[i-1] {
				c.errorf("the clock of rank %d goes from t=%d to t=%d", rank, readings[i-1], readings[i])
			}
		}
	}
}

func doSomething(p protocols.Proc, random *rand.Rand) {
	soon := p.Now() + clock.Time(random.IntN(7)-2) // or just past
	switch random.IntN(5) {
	case 0:
		p.Send(random.IntN(p.Size()), mailbox.Message{Kind: 1})
	case 1:
		p.RecvUntil(mailbox.Any, soon)
	case 2:
		p.Poll(mailbox.OfKind(1))
	case 3:
		p.WaitUntil(soon)
	case 4:
		p.Step("something")
	}
}
