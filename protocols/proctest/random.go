package proctest

import (
	"fmt"
	"math"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

var randomCases = []Case{
	{Name: "the random stream of a rank is the same for the same seed", on: simple(5), check: streamsRepeat},
	{Name: "no two pairs of seed and rank share a random stream", on: simple(9), check: streamsDiffer},
	{Name: "Rand goes on where it stopped", on: simple(3), check: streamGoesOn},
	{Name: "what others draw does not change a random stream", on: simple(3), check: othersDrawing},
	{Name: "what a rank does does not change its random stream", on: simple(3), check: doingSomethingElse},
	{Name: "the number of ranks does not change a random stream", on: simple(3), check: streamsOnOtherMachine},
}

// draws is how many numbers are taken as a sample of a stream.
const draws = 16

func draw(p protocols.Proc, n int) []uint64 {
	var numbers []uint64
	for range n {
		numbers = append(numbers, p.Rand().Uint64())
	}
	return numbers
}

// streams returns how the random stream of each rank begins.
func streams(c *checker, seed uint64) [][]uint64 {
	return gatherWith(c, setup{seed: seed}, func(p protocols.Proc) []uint64 { return draw(p, draws) })
}

// sameStreams compares what ranks have drawn.
func sameStreams(c *checker, how string, got, want [][]uint64) {
	for rank := range want {
		same(c, fmt.Sprintf("number drawn by rank %d %s", rank, how), got[rank], want[rank])
	}
}

// seeds includes pairs that differ in one bit, low or high, and those next to a rank's
// number.
var seeds = []uint64{0, 1, 2, 3, 8, 9, 1 << 31, 1 << 32, 1 << 63, math.MaxUint64 - 1, math.MaxUint64}

func streamsRepeat(c *checker) {
	for _, seed := range seeds {
		sameStreams(c, fmt.Sprintf("with seed %d again", seed), streams(c, seed), streams(c, seed))
	}
}

// A sum of seed and rank, for one, would give rank 1 of a run the numbers of rank 0 of
// another. Streams must not be shifted copies of each other either.
func streamsDiffer(c *checker) {
	type owner struct {
		seed uint64
		rank int
	}
	owners := make(map[uint64]owner)
	for _, seed := range seeds {
		for rank, numbers := range streams(c, seed) {
			for _, x := range numbers {
				if first, seen := owners[x]; seen {
					c.errorf("%d is drawn by rank %d with seed %d and rank %d with seed %d",
						x, first.rank, first.seed, rank, seed)
				}
				owners[x] = owner{seed, rank}
			}
		}
	}
}

// A stream is one sequence, whether a rank keeps the Rand or asks for it each time.
func streamGoesOn(c *checker) {
	kept := gather(c, func(p protocols.Proc) []uint64 {
		random := p.Rand()
		var numbers []uint64
		for range draws {
			numbers = append(numbers, random.Uint64())
		}
		return numbers
	})
	sameStreams(c, "that asks for Rand each time", streams(c, 1), kept)
}

// Rank 1 draws once a tick, the others never, once or often.
func othersDrawing(c *checker) {
	var got [][]uint64
	for _, often := range []int{0, 1, 50} {
		ranks := gather(c, func(p protocols.Proc) []uint64 {
			n := often
			if p.Rank() == 1 {
				n = 1
			}
			var numbers []uint64
			for i := range clock.Time(draws) {
				p.WaitUntil(i)
				numbers = append(numbers, draw(p, n)...)
			}
			return numbers
		})
		got = append(got, ranks[1])
	}
	same(c, "number drawn while others draw once a tick", got[1], got[0])
	same(c, "number drawn while others draw often", got[2], got[0])
}

func doingSomethingElse(c *checker) {
	quiet := streams(c, 1)
	busy := gather(c, func(p protocols.Proc) []uint64 {
		var numbers []uint64
		for range draws {
			p.Send((p.Rank()+1)%p.Size(), mailbox.Message{Payload: "busy"})
			p.Recv(mailbox.Any)
			p.Step("busy")
			p.WaitUntil(p.Now() + 1)
			numbers = append(numbers, draw(p, 1)...)
		}
		return numbers
	})
	sameStreams(c, "that is busy", busy, quiet)
	later := gatherWith(c, setup{seed: 1, initiators: []int{0}}, func(p protocols.Proc) []uint64 {
		if p.Rank() > 0 {
			p.Recv(mailbox.Any)
		}
		if p.Rank()+1 < p.Size() {
			p.Send(p.Rank()+1, mailbox.Message{})
		}
		return draw(p, draws)
	})
	sameStreams(c, "that is started by a message", later, quiet)
}

func streamsOnOtherMachine(c *checker) {
	few := streams(c, 1)
	c.Ranks = 3 * c.Ranks
	sameStreams(c, "with more ranks", streams(c, 1), few)
}
