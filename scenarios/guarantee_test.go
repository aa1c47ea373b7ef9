package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// star is a broken broadcast: the root sends to everybody, and nobody makes up for what
// is lost.
func star(p protocols.Proc) {
	if p.Rank() > 0 {
		p.Recv(mailbox.From(0))
		return
	}
	for to := 1; to < p.Size(); to++ {
		p.Send(to, mailbox.Message{})
	}
}

// chain is another one: each rank waits for the one before it.
func chain(p protocols.Proc) {
	if p.Rank() > 0 {
		p.Recv(mailbox.From(p.Rank() - 1))
	}
	if p.Rank()+1 < p.Size() {
		p.Send(p.Rank()+1, mailbox.Message{})
	}
}

// mute sends nothing.
func mute(p protocols.Proc) {
	if p.Rank() > 0 {
		p.Recv(mailbox.Any)
	}
}

func TestGuaranteesOfBrokenProtocolsAreBroken(t *testing.T) {
	const held, broken, notClaimed = guarantee.Held, guarantee.Broken, guarantee.NotClaimed
	for _, c := range []struct {
		name         string
		main         func(protocols.Proc)
		line         string
		reached      guarantee.Value
		reachedSays  string
		deadlockFree guarantee.Value
		deadlockSays string
	}{
		{"nobody fails", star, "test P=4",
			held, "all 4 live ranks reached", held, "no rank waits for ever"},
		{"failed ranks need not be reached", star, "test P=4 faults=crash:1,hang:3",
			held, "all 2 live ranks reached", held, "no rank waits for ever"},
		{"root fails early", star, "test P=3 faults=crash:0@send1",
			notClaimed, "the root lives (rank 0 crashed at t=0, and none of 2 live ranks was reached)",
			held, "root failed (rank 0 crashed at t=0), only ranks that nothing reached wait"},
		{"root fails halfway", star, "test P=5 faults=hang:0@after-send2",
			broken, "root failed (rank 0 hung at t=2), 2 live ranks reached, ranks 3 and 4 never",
			held, "root failed (rank 0 hung at t=2), only ranks that nothing reached wait"},
		{"root fails when all is done", star, "test P=3 faults=crash:0@t5",
			held, "all 2 live ranks reached", held, "no rank waits for ever"},
		{"chain breaks", chain, "test P=4 faults=crash:2@recv1",
			broken, "rank 3 never reached",
			broken, "rank 3 waiting for ever"},
		{"nobody sends", mute, "test P=12",
			broken, "ranks 1, 2, 3, 4, 5, 6, 7, 8 and 3 more never reached",
			broken, "ranks 1, 2, 3, 4, 5, 6, 7, 8 and 3 more waiting for ever"},
		{"all fail", mute, "test P=3 faults=crash:0,crash:1,crash:2",
			notClaimed, "no rank is left", held, "no rank waits for ever"},
	} {
		t.Run(c.name, func(t *testing.T) {
			outcome, err := execute(t, testRegistry(c.main), c.line, scenarios.Options{Workers: 1})
			require.NoError(t, err)
			assert.Equal(t, []guarantee.Verdict{
				{Name: "reaches every live rank", Value: c.reached, Evidence: c.reachedSays},
				{Name: "no deadlock", Value: c.deadlockFree, Evidence: c.deadlockSays, Safety: true},
			}, outcome.Guarantees)
			assert.Equal(t, min(c.reached, c.deadlockFree) == broken, outcome.Verdict() == broken)
			assert.Equal(t, c.reached == notClaimed, outcome.Verdict() == notClaimed)
		})
	}
}

func TestBroadcastReachesEveryLiveRankUnlessTheRootFails(t *testing.T) {
	assert.Equal(t, guarantee.Held, mustExecute(t, "broadcast P=64 faults=crash:~20 seed=3", scenarios.Options{}).Verdict())

	outcome := mustExecute(t, "broadcast P=4 faults=crash:0@send1", scenarios.Options{})
	assert.Equal(t, guarantee.NotClaimed, outcome.Verdict(), "nobody was reached, so nobody need be")
	assert.Len(t, outcome.Report.Deadlocks, 3)
}

// Whoever says nothing about deadlocks promises that there are none.
func TestDeadlocksBreakAPromiseWhateverTheProtocolSays(t *testing.T) {
	registry := testRegistry(mute)
	build := registry[0].Build
	registry[0].Build = func(s line.Settings) (scenarios.Experiment, error) {
		e, err := build(s)
		e.Promises = nil
		return e, err
	}
	outcome, err := execute(t, registry, "test P=3", scenarios.Options{})
	require.NoError(t, err)
	assert.Equal(t, []guarantee.Verdict{{Name: "no deadlock", Evidence: "ranks 1 and 2 waiting for ever", Safety: true}}, outcome.Guarantees)
	assert.Equal(t, guarantee.Broken, outcome.Verdict())
	outcome, err = execute(t, registry, "test P=1", scenarios.Options{})
	require.NoError(t, err)
	assert.Equal(t, guarantee.Held, outcome.Verdict(), "who promises nothing else keeps that")
}

// A run is judged if something was to be achieved in it; that nobody waits for ever is not enough.
func TestRunsAreJudgedWithinThePremises(t *testing.T) {
	for line, want := range map[string]guarantee.Value{
		"reduce P=8 f=1":                                  guarantee.Held,
		"reduce P=8 f=1 faults=crash:1":                   guarantee.Held,
		"reduce P=8 f=1 faults=crash:1,crash:2":           guarantee.NotClaimed,
		"reduce P=8 f=1 faults=crash:0":                   guarantee.NotClaimed,
		"allreduce P=8 f=1 faults=crash:1,crash:2":        guarantee.NotClaimed,
		"broadcast P=8 faults=crash:0":                    guarantee.NotClaimed,
		"broadcast P=8 correction=none faults=crash:1@t0": guarantee.Broken,
		"multitree P=8 faults=crash:1":                    guarantee.Held,
		"multitree P=8 faults=crash:1,crash:2":            guarantee.NotClaimed,
	} {
		outcome := mustExecute(t, line, scenarios.Options{})
		assert.Equal(t, want, outcome.Verdict(), line)
		assert.Equal(t, want == guarantee.NotClaimed, outcome.Unjudged() != "", line)
	}
	outcome := mustExecute(t, "reduce P=16 f=1 faults=crash:1,crash:2,crash:3", scenarios.Options{})
	assert.Equal(t, "not claimed: at most 1 failure (3 ranks failed)", outcome.Unjudged())
}

// What is broken on processes that were behind the model may be so because of that.
func TestLateRunsAreNotJudgedIfSomethingIsBroken(t *testing.T) {
	for line, late := range map[string]bool{
		"reduce P=8": false, "broadcast P=8 start=sync correction=opportunistic d=0 faults=crash:1": true,
		"broadcast P=8 correction=none faults=crash:1": false, // however late messages are
	} {
		outcome := mustExecute(t, line, scenarios.Options{})
		before := outcome.Verdict()
		outcome.ExcuseLateness()
		assert.Equal(t, before, outcome.Verdict(), "it was not late")
		outcome.Late = 3
		outcome.ExcuseLateness()
		assert.Equal(t, late, outcome.Verdict() == guarantee.TooLate, line)
		if late {
			assert.Equal(t, guarantee.TooLate, outcome.Verdict())
			assert.Equal(t, "too late to judge: processes were up to 3 ticks behind the model", outcome.Unjudged())
			assert.Equal(t, "too late: reaches every live rank: ranks 3, 5 and 7 never reached", outcome.Guarantees[0].String())
			assert.Empty(t, guarantee.OnlyBroken(outcome.Guarantees))
		}
	}
}
