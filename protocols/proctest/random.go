package proctest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// seeds includes pairs that differ in one bit, low or high, and those next to a rank's
// number.
var seeds = []uint64{0, 1, 2, 3, 8, 9, 1 << 31, 1 << 32, 1 << 63, math.MaxUint64 - 1, math.MaxUint64}

var randomCases = []Case{
	{Name: "the random stream of a rank is PCG(seed, rank)", on: slices.Concat(simple(3), simple(9)), check: stream(seeds, nil, drawOnly)},
	{Name: "Rand goes on where it stopped", on: simple(3), check: stream(seeds[:1], nil, drawFromKept)},
	{Name: "what others draw does not change a random stream", on: simple(3), check: stream(seeds[:1], nil, drawByRank)},
	{Name: "what a rank does does not change its random stream", on: simple(3), check: stream(seeds[:1], nil, drawWhileBusy)},
	{Name: "a rank that is started by a message has the same random stream", on: simple(3), check: stream(seeds[:1], []int{0}, drawWhenStarted)},
}

// draws is how many numbers are taken as a sample of a stream.
const draws = 16

// stream checks what ranks draw in some way, which is to have no influence.
func stream(seeds []uint64, initiators []int, drawn func(p protocols.Proc) []uint64) func(*checker) {
	return func(c *checker) {
		for _, seed := range seeds {
			for rank, got := range gatherWith(c, setup{seed: seed, initiators: initiators}, drawn) {
				want := draw(rand.New(rand.NewPCG(seed, uint64(rank))), draws)
				same(c, fmt.Sprintf("number drawn by rank %d with seed %d", rank, seed), got, want)
			}
		}
	}
}

func draw(random *rand.Rand, n int) (numbers []uint64) {
	for range n {
		numbers = append(numbers, random.Uint64())
	}
	return numbers
}

// drawOnly asks for Rand each time.
func drawOnly(p protocols.Proc) (numbers []uint64) {
	for range draws {
		numbers = append(numbers, p.Rand().Uint64())
	}
	return numbers
}

func drawFromKept(p protocols.Proc) []uint64 {
	kept := p.Rand()
	return slices.Concat(draw(kept, draws/4), draw(p.Rand(), draws/4), draw(kept, draws/2))
}

// drawByRank draws once a tick, or often, and not all that it draws is part of the sample.
func drawByRank(p protocols.Proc) (numbers []uint64) {
	for t := range clock.Time(draws) {
		p.WaitUntil(t)
		numbers = append(numbers, draw(p.Rand(), 1+50*p.Rank())...)
	}
	return numbers[:draws]
}

func drawWhileBusy(p protocols.Proc) (numbers []uint64) {
	for range draws {
		p.Send((p.Rank()+1)%p.Size(), mailbox.Message{Payload: "busy"})
		p.Recv(mailbox.Any)
		p.Step("busy")
		p.WaitUntil(p.Now() + 1)
		numbers = append(numbers, draw(p.Rand(), 1)...)
	}
	return numbers
}

func drawWhenStarted(p protocols.Proc) []uint64 {
	if p.Rank() > 0 {
		p.Recv(mailbox.Any)
	}
	if p.Rank()+1 < p.Size() {
		p.Send(p.Rank()+1, mailbox.Message{})
	}
	return drawOnly(p)
}
