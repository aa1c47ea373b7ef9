package proctest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

var stormCases = []Case{
	{Name: "random traffic is received as a model of the ports says", Exact: true,
		on: slices.Concat(logP(12), gapped(12), logGP(12), simple(100)), check: stormFollowsModel},
}

// errand is one message of a storm: a rank waits until an instant, then sends.
type errand struct {
	wait    clock.Time
	to      int
	message mailbox.Message
}

// stormFollowsModel has all ranks send at random, then receive what they were sent.
func stormFollowsModel(c *checker) {
	for seed := range uint64(3) {
		errands := randomErrands(c, rand.New(rand.NewPCG(seed, 0)))
		want := predict(c, errands)
		got := gather(c, func(p protocols.Proc) []receipt {
			for _, e := range errands[p.Rank()] {
				p.WaitUntil(e.wait)
				p.Send(e.to, e.message)
			}
			return receiveMany(p, len(want[p.Rank()]))
		})
		for rank := range got {
			same(c, fmt.Sprintf("message to rank %d", rank), got[rank], want[rank])
		}
	}
}

// randomErrands favours low ranks as receivers, so that some ports are always busy and
// others hardly ever. Every third rank only receives and so sees each message at once.
func randomErrands(c *checker, random *rand.Rand) [][]errand {
	errands := make([][]errand, c.Ranks)
	for rank := range errands {
		if rank%3 == 0 {
			continue
		}
		t := clock.Time(0)
		for i := range 20 {
			t += clock.Time(random.IntN(2) * random.IntN(2*int(c.Delivery())))
			msg := number(i)
			msg.Payload = strings.Repeat("x", random.IntN(3)*random.IntN(20))
			errands[rank] = append(errands[rank], errand{t, random.IntN(1 + random.IntN(c.Ranks)), msg})
		}
	}
	return errands
}

// flight is a message on its way.
type flight struct {
	arrival clock.Time
	from    int
	message mailbox.Message
}

// predict says what each rank receives and when its program sees it. A program sees
// nothing before it has done its own errands.
func predict(c *checker, errands [][]errand) [][]receipt {
	inbound := make([][]flight, c.Ranks)
	done := make([]clock.Time, c.Ranks)
	for rank, list := range errands {
		var now, free clock.Time
		for _, e := range list {
			start := max(now, e.wait, free)
			stretch := clock.Time(max(1, len(e.message.Payload))-1) * c.PerByte
			now, free = start+c.Overhead, start+c.spacing()+stretch
			inbound[e.to] = append(inbound[e.to], flight{now + stretch + c.Latency, rank, e.message})
		}
		done[rank] = now
	}
	seen := make([][]receipt, c.Ranks)
	for rank, flights := range inbound {
		slices.SortStableFunc(flights, func(a, b flight) int {
			return cmp.Or(cmp.Compare(a.arrival, b.arrival), cmp.Compare(a.from, b.from))
		})
		free := clock.Time(0)
		for _, f := range flights {
			start := max(f.arrival, free)
			free = start + c.spacing()
			seen[rank] = append(seen[rank], receipt{max(done[rank], start+c.Overhead), f.from, f.message})
		}
	}
	return seen
}
