package proctest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

var stormCases = []Case{
	{Name: "random traffic is received as a model of the ports says", Exact: true,
		on: slices.Concat(logP(12), gapped(12), logGP(12), simple(100)), check: stormFollowsModel},
}

// errand is one message of a rank, which waits until an instant before it sends.
type errand struct {
	from, to int
	at       clock.Time
	bytes    int // of payload
}

// message is what the n-th errand of all sends.
func (e errand) message(n int) mailbox.Message {
	return mailbox.Message{A: int64(n), Payload: strings.Repeat("x", e.bytes)}
}

// sight is what a rank sees of traffic.
type sight struct {
	Returned []clock.Time // when its sends do
	Received []receipt
}

// traffic is how cases are checked that are about nothing but who sends what and when. All ranks do their
// errands and then receive what others have sent them, which must be as the model says.
func traffic(errands func(c *checker) []errand) func(*checker) {
	return func(c *checker) { c.follow(errands(c), nil) }
}

// follow has ranks do errands while a schedule makes messages late and loses them.
func (c *checker) follow(errands []errand, schedule faults.Schedule) {
	want := predict(c, errands, schedule)
	got := gatherWith(c, setup{faults: schedule}, func(p protocols.Proc) sight { return observe(p, errands, len(want[p.Rank()].Received)) })
	for rank, s := range got {
		c.each(fmt.Sprintf("a send of rank %d returns", rank), s.Returned, want[rank].Returned)
		c.each(fmt.Sprintf("a message to rank %d is received", rank), times(s.Received), times(want[rank].Received))
		c.sameMessages(rank, s.Received, want[rank].Received, !c.machine.exact())
	}
}

// exactlyOnce is traffic that may take as long as it likes, and after which nothing more comes for a while.
func exactlyOnce(errands func(c *checker) []errand) func(*checker) {
	return func(c *checker) {
		errands := errands(c)
		want := predict(c, errands, nil)
		var last clock.Time
		for _, s := range want {
			for _, r := range s.Received {
				last = max(last, r.At)
			}
		}
		got := gather(c, func(p protocols.Proc) []receipt {
			s := observe(p, errands, len(want[p.Rank()].Received))
			return append(s.Received, receiveUntil(p, c.settled(last+c.Delivery()))...)
		})
		for rank, received := range got {
			c.sameMessages(rank, received, want[rank].Received, true)
		}
	}
}

// observe does a rank's errands and receives so many messages.
func observe(p protocols.Proc, errands []errand, messages int) (s sight) {
	for n, e := range errands {
		if e.from == p.Rank() {
			p.WaitUntil(e.at)
			p.Send(e.to, e.message(n))
			s.Returned = append(s.Returned, p.Now())
		}
	}
	s.Received = receiveMany(p, messages)
	return s
}

// sameMessages compares what a rank receives, whenever it does; if only the order of messages of one sender is
// certain, sender by sender.
func (c *checker) sameMessages(rank int, got, want []receipt, bySender bool) {
	untimed := func(all []receipt) []receipt {
		all = project(all, func(r receipt) receipt { return receipt{From: r.From, Msg: r.Msg} })
		if bySender {
			slices.SortStableFunc(all, func(a, b receipt) int { return cmp.Compare(a.From, b.From) })
		}
		return all
	}
	same(c, fmt.Sprintf("message to rank %d", rank), untimed(got), untimed(want))
}

// predict is the model of the ports. A program sees nothing before it has done its own errands.
func predict(c *checker, errands []errand, schedule faults.Schedule) []sight {
	way := newNetwork(schedule)
	seen := make([]sight, c.Ranks)
	now, free := make([]clock.Time, c.Ranks), make([]clock.Time, c.Ranks) // of programs and of send ports
	inbound := make([][]receipt, c.Ranks)                                 // at the instant of arrival
	for n, e := range errands {
		start := max(now[e.from], e.at, free[e.from])
		stretch := clock.Time(max(1, e.bytes)-1) * c.PerByte
		now[e.from], free[e.from] = start+c.Overhead, start+c.spacing()+stretch
		seen[e.from].Returned = append(seen[e.from].Returned, now[e.from])
		for _, a := range way.carry(e.from, e.to, now[e.from]+stretch, c.Latency) {
			inbound[e.to] = append(inbound[e.to], receipt{a.at, e.from, e.message(n)})
		}
	}
	for rank, arrivals := range inbound {
		slices.SortStableFunc(arrivals, func(a, b receipt) int {
			return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.From, b.From))
		})
		free := clock.Time(0) // the receive port
		for _, r := range arrivals {
			start := max(r.At, free)
			free = start + c.spacing()
			r.At = max(now[rank], start+c.Overhead)
			seen[rank].Received = append(seen[rank].Received, r)
		}
	}
	return seen
}

func stormFollowsModel(c *checker) {
	for seed := range uint64(3) {
		c.follow(storm(c, rand.New(rand.NewPCG(seed, 0))), nil)
	}
}

// storm favours low ranks as receivers, so that some ports are always busy and
// others hardly ever. Every third rank only receives and so sees each message at once.
func storm(c *checker, random *rand.Rand) (all []errand) {
	for rank := range c.Ranks {
		at := clock.Time(0)
		for i := 0; i < 20 && rank%3 > 0; i++ {
			at += clock.Time(random.IntN(2) * random.IntN(2*int(c.Delivery())))
			all = append(all, errand{rank, random.IntN(1 + random.IntN(c.Ranks)), at, random.IntN(3) * random.IntN(20)})
		}
	}
	return all
}
