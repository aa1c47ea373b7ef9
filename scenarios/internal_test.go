package scenarios

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// idle is a protocol whose ranks pass a step and do nothing else.
var idle = Registry{{Name: "idle", Build: func(s line.Settings) (Experiment, error) {
	return Experiment{Program: protocols.Program{Main: func(p protocols.Proc) { p.Step("idle") }}}, nil
}}}

func TestAnExecutorKeepsItsMachineWhileItCan(t *testing.T) {
	e := NewExecutor(Options{Workers: 2})
	run := func(line string) (*emu.Machine, report.Hash) {
		r, err := idle.ParseLine(line)
		require.NoError(t, err)
		outcome, err := e.Run(t.Context(), r)
		require.NoError(t, err)
		return e.machine, outcome.Report.Hash
	}
	first, hash := run("idle P=64 faults=crash:~5 seed=1")
	second, other := run("idle P=64 faults=crash:~5 seed=2")
	assert.Same(t, first, second)
	assert.NotEqual(t, hash, other)
	_, again := run("idle faults=crash:~5 seed=1 P=64")
	assert.Equal(t, hash, again, "a used machine behaves like a new one")
	third, _ := run("idle P=64 L=3")
	assert.NotSame(t, first, third)
}

// After a rejoin a rank may deliver again.
func TestDuplicatesAreNotExcludedWhenRanksComeBack(t *testing.T) {
	p := Protocol{}
	rep := &report.Report{Ranks: make([]report.RankResult, 4), Rejoined: []report.Rejoin{{Rank: 2, Time: 9}}, Events: []report.Event{{}}}
	for _, g := range []guarantee.Guarantee{guarantee.NoDuplicates{}, guarantee.OnlyColouredRanksSend{}, guarantee.NoDeadlock{}} {
		v := p.onTerms(guarantee.PromiseOf(g), false).Check(guarantee.Run{Report: rep})
		assert.Equal(t, guarantee.NotClaimed, v.Value, g.Name())
		assert.Contains(t, v.Evidence, "nobody comes back (rank 2 came back)", g.Name())
	}
	integrity := guarantee.PromiseOf(guarantee.Integrity{})
	assert.Equal(t, integrity, p.onTerms(integrity, false))
}

// Nobody has to promise that there are no deadlocks, and nobody promises it twice.
func TestAllPromiseOnceThatThereAreNoDeadlocks(t *testing.T) {
	for _, said := range [][]guarantee.Guarantee{nil, {guarantee.Integrity{}}, {guarantee.NoDeadlock{}}, {guarantee.Integrity{}, guarantee.NoDeadlock{}}} {
		count := map[string]int{}
		for _, promised := range (Protocol{}).promises(&Experiment{Promises: said}) {
			count[promised.Name()]++
		}
		assert.Equal(t, 1, count[guarantee.NoDeadlock{}.Name()], "%v", said)
	}
}

// listed is a network that cannot be compared with another.
type listed []clock.Time

func (listed) Latency(from, to int) clock.Time { return 2 }
func (listed) MinLatency() clock.Time          { return 2 }

// A machine is the same if all that a run can notice of it is.
func TestMachinesAreTheSameIfNothingDiffers(t *testing.T) {
	have := emu.Config{LogP: clock.LogP{Ranks: 8, Latency: 2, Overhead: 1}, Network: clock.Uniform(2), Detection: emu.Detection{Delay: 9}}
	for name, change := range map[string]func(*emu.Config){
		"ranks":     func(c *emu.Config) { c.Ranks = 9 },
		"latency":   func(c *emu.Config) { c.Latency = 3 },
		"gap":       func(c *emu.Config) { c.Gap = 1 },
		"detection": func(c *emu.Config) { c.Detection.Hangs = true },
		"network":   func(c *emu.Config) { c.Network = clock.Uniform(3) },
		"jitter":    func(c *emu.Config) { c.Jitter = clock.UniformJitter{Most: 1} },
		"table":     func(c *emu.Config) { c.Jitter = clock.TableJitter{{Delay: 1, Weight: 1}} },
		"noise":     func(c *emu.Config) { c.Noise = &clock.Noise{Period: 9, Length: 1} },
		"links":     func(c *emu.Config) { c.Unordered = true },
		"a list":    func(c *emu.Config) { c.Network = listed{} },
	} {
		want := have
		change(&want)
		assert.False(t, sameMachine(have, want), name)
	}
	assert.True(t, sameMachine(have, have))
	unsaid := have
	unsaid.Network = nil
	assert.True(t, sameMachine(have, unsaid), "the uniform network need not be said")
	varied := have
	varied.Jitter, varied.Noise = clock.TableJitter{{Delay: 1, Weight: 1}}, &clock.Noise{Period: 9, Length: 1}
	again := varied
	again.Jitter, again.Noise = clock.TableJitter{{Delay: 1, Weight: 1}}, &clock.Noise{Period: 9, Length: 1}
	assert.True(t, sameMachine(varied, again))
	again.Jitter = clock.TableJitter{{Delay: 2, Weight: 1}}
	assert.False(t, sameMachine(varied, again))
	list := have
	list.Network = listed{}
	assert.False(t, sameMachine(list, list), "nobody can tell")
}
