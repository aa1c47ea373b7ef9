package buntinas_test

import (
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/buntinas"
)

// forAll checks a claim on cases that rapid draws, some times as many as rapid would by itself.
func forAll(t *testing.T, claim func(t *rapid.T)) {
	t.Helper()
	t.Parallel()
	for range thorough.Times(8) {
		rapid.Check(t, claim)
	}
}

// anyTrial draws machine, detector, root and message.
func anyTrial(t *rapid.T, most int) *trial {
	logp := draw.Machine(t, 1, most)
	b := &trial{
		logp:     logp,
		detector: emu.Detection{Delay: logp.Delivery() + draw.Ticks(t, "delay", 0, 40), Spread: draw.Ticks(t, "spread", 0, 60), Hangs: rapid.Bool().Draw(t, "hangs")},
		message:  mailbox.Message{A: rapid.Int64().Draw(t, "A"), Payload: rapid.StringN(0, 4, 8).Draw(t, "payload")},
		trace:    emu.TraceEvents,
	}
	if rapid.Bool().Draw(t, "bytes cost") {
		b.logp.PerByte = draw.Ticks(t, "G", 1, 3)
	}
	b.options = buntinas.Options{
		Root:  rapid.IntRange(0, logp.Ranks-1).Draw(t, "root"),
		Epoch: rapid.Uint32Range(0, 2).Draw(t, "epoch"),
	}
	return b
}

// anyOthers draws ranks other than the root.
func anyOthers(t *rapid.T, b *trial) []int {
	others := draw.Some(t, "ranks after the root", b.logp.Ranks-1, b.logp.Ranks)
	for i := range others {
		others[i] = (b.options.Root + 1 + others[i]) % b.logp.Ranks
	}
	return others
}

// points is where a rank may fail.
func points(b *trial) draw.Points {
	return draw.Points{
		Calls: 12, Until: b.logp.Delivery().Times(30),
		Steps: []string{buntinas.StepColoured, buntinas.StepAbandon, buntinas.StepLate, buntinas.StepRestart, buntinas.StepComplete},
	}
}

// anyFailures lets ranks fail at any points, in a way that the detector notices.
func anyFailures(t *rapid.T, b *trial, ranks []int) faults.Schedule {
	s := points(b).Failures(t, ranks)
	for i := range s {
		if !b.detector.Hangs {
			s[i].Kind = faults.Crash
		}
	}
	return s
}

// Whoever else fails whenever: all live ranks get the root's message, once; the root knows when
// they have, and has begun again no more often than ranks have failed; nobody waits for ever.
func TestWhoeverElseFailsAllLiveRanksAreReached(t *testing.T) {
	forAll(t, func(t *rapid.T) {
		b := anyTrial(t, 40).start(t)
		b.run(t, anyFailures(t, b, anyOthers(t, b)))
		b.check(t)
	})
}

// The root may fail, too. Whoever has the message comes to an end then.
func TestWhoeverFailsNobodyWithTheMessageWaitsForEver(t *testing.T) {
	forAll(t, func(t *rapid.T) {
		b := anyTrial(t, 40).start(t)
		b.run(t, anyFailures(t, b, append(anyOthers(t, b), b.options.Root)))
		b.check(t)
	})
}

// To linger for as many attempts as ranks fail, and one more, is enough.
func TestOneAttemptForEachFailureIsLongEnoughToLinger(t *testing.T) {
	forAll(t, func(t *rapid.T) {
		b := anyTrial(t, 40)
		failing := anyOthers(t, b)
		bytes := len(b.message.Payload) + 14 + 4*len(failing)
		b.options.Linger = buntinas.Longest(b.logp, b.detector.Delay, bytes).Times(len(failing) + 1)
		b.start(t).run(t, anyFailures(t, b, failing))
		b.check(t)
	})
}

// Only the time to linger depends on how fast ranks are. If it is long, slow ranks do no harm,
// neither to all live ranks nor, if the root fails, to those that have the message.
func TestSlowRanksDoNoHarmIfOthersLinger(t *testing.T) {
	forAll(t, func(t *rapid.T) {
		b := anyTrial(t, 20)
		b.options.Linger = 1_000_000
		failing := anyOthers(t, b)
		if rapid.Bool().Draw(t, "the root fails") {
			failing = append(failing, b.options.Root)
		}
		b.start(t).run(t, append(anyFailures(t, b, failing), points(b).Slow(t, b.logp.Ranks)...))
		b.check(t)
	})
}

// Without failures it does not take longer than it may.
func TestAttemptsTakeNoLongerThanTheLongest(t *testing.T) {
	forAll(t, func(t *rapid.T) {
		b := anyTrial(t, 60).start(t)
		b.run(t, nil)
		b.check(t)
		longest := buntinas.Longest(b.logp, b.detector.Delay, len(b.message.Payload)+14)
		if b.complete > longest || b.attempts != 1 {
			t.Fatalf("%v: %d attempts, complete at %d, longest %d", b, b.attempts, b.complete, longest)
		}
	})
}

// Whoever was down before, the root knows by the instant in the package comment.
func TestFailuresBeforeTheBroadcastCostNothing(t *testing.T) {
	forAll(t, func(t *rapid.T) {
		b := anyTrial(t, 60)
		b.logp.Gap, b.logp.PerByte = 0, 0
		var down faults.Schedule
		for _, rank := range anyOthers(t, b) {
			down = append(down, faults.Fault{Kind: faults.Crash, Rank: rank})
		}
		b.start(t).run(t, down)
		b.check(t)
		bound := (2 * b.logp.Delivery()).Times(bits.Len(uint(b.logp.Ranks - 1)))
		if messages := 2 * (b.logp.Ranks - 1 - len(down)); b.complete > bound || b.attempts != 1 || b.report.Messages != int64(messages) {
			t.Fatalf("%v: %d attempts, complete at %d, %d messages", b, b.attempts, b.complete, b.report.Messages)
		}
	})
}

// A run is a function of machine and schedule, with any number of workers.
func TestEveryRunIsDeterministic(t *testing.T) {
	forAll(t, func(t *rapid.T) {
		b := anyTrial(t, 40).start(t)
		s := anyFailures(t, b, anyOthers(t, b))
		want := b.run(t, s).Hash
		many, err := emu.New(emu.Config{LogP: b.logp, Detection: b.detector, Workers: 3, Trace: emu.TraceEvents})
		if err != nil {
			t.Fatal(err)
		}
		b.machine = many
		if got := b.run(t, s).Hash; got != want || want == 0 {
			t.Fatalf("%v: hash %v, with three workers %v", b, want, got)
		}
	})
}
