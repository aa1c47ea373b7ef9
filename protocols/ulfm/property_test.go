package ulfm_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// action is one line of a random program, the same on all ranks.
type action struct {
	Do  string
	Who int64 // bits of ranks of the machine, for those that differ by rank
}

var actions = rapid.Custom(func(t *rapid.T) action {
	return action{
		Do:  rapid.SampledFrom([]string{"agree", "agree", "shrink", "create", "revoke", "acknowledge", "pass", "compute"}).Draw(t, "do"),
		Who: rapid.Int64Range(0, 1<<16-1).Draw(t, "who"),
	}
})

// result is what a rank has seen of one action. All but Knew must be the same on all ranks that
// live on, Inner on those of one group.
type result struct {
	Do      string
	Flags   int64
	Failed  []int // named by the error
	Revoked bool  // the error was ErrRevoked
	Members []int // of a new communicator, or of the one in use
	Inner   string
	Knew    []int // ranks of the machine known to have failed before
}

// actor is one rank of a random program.
type actor struct {
	me    int
	c     *ulfm.Comm
	all   []*ulfm.Comm // that it has had
	trail []result
	end   []bool // which of them are revoked in the end
}

// quiet is when all has happened that can.
const quiet = 60_000

func (a *actor) run(program []action) {
	for _, next := range program {
		a.do(next, next.Who&(1<<a.me) != 0)
	}
	for a.c.Proc().Now() < quiet {
		a.c.Revoked()
		a.c.Spend(200)
	}
	for _, c := range a.all {
		a.end = append(a.end, c.Revoked())
	}
}

func (a *actor) do(what action, chosen bool) {
	r := result{Do: what.Do, Members: members(a.c)}
	for _, member := range a.c.GetAcked() {
		r.Knew = append(r.Knew, a.c.MachineRank(member))
	}
	var err error
	switch what.Do {
	case "agree":
		r.Flags, err = a.c.Agree(allBut(a.me))
		checkAbsent(a.c, r.Flags, err)
	case "shrink":
		if a.c, err = a.c.Shrink(); err != nil {
			panic(err)
		}
		a.all = append(a.all, a.c)
		r.Members = members(a.c)
	case "create":
		var part *ulfm.Comm
		part, err = a.c.Create(a.group(what.Who, chosen))
		r.Inner = a.inner(part, err)
	case "revoke":
		if chosen {
			a.c.Revoke()
		}
	case "acknowledge":
		if chosen {
			a.c.FailureAck()
		}
	case "pass":
		size := a.c.Size()
		_ = a.c.Send((a.c.Rank()+1)%size, 0, "")
		_, _ = a.c.Recv((a.c.Rank()+size-1)%size, 0)
	case "compute":
		a.c.Spend(clock.Time(what.Who) >> 8 * clock.Time(a.me%3))
	}
	r.Revoked = errors.Is(err, ulfm.ErrRevoked)
	var ok bool
	if r.Failed, ok = named(err); !ok && !r.Revoked {
		panic(err)
	}
	a.trail = append(a.trail, r)
}

// group are the members that are chosen, or those that are not.
func (a *actor) group(who int64, chosen bool) (group []int) {
	for member := range a.c.Size() {
		if (who&(1<<a.c.MachineRank(member)) != 0) == chosen {
			group = append(group, member)
		}
	}
	return group
}

// inner has the members of a new communicator agree.
func (a *actor) inner(c *ulfm.Comm, err error) string {
	if err != nil {
		return ""
	}
	flags, err := c.Agree(allBut(a.me))
	return fmt.Sprintf("%v: %b, %v", members(c), flags, err)
}

// drawConfig draws a machine with a detector that is never wrong.
func drawConfig(t *rapid.T) emu.Config {
	ticks := func(name string, low, high clock.Time) clock.Time {
		return clock.Time(rapid.Int64Range(int64(low), int64(high)).Draw(t, name))
	}
	logp := clock.LogP{
		Ranks:    rapid.IntRange(2, 16).Draw(t, "P"),
		Latency:  ticks("L", 1, 12),
		Overhead: ticks("o", 1, 5),
		Gap:      ticks("g", 0, 12),
		PerByte:  ticks("G", 0, 3),
	}
	detector := emu.Detection{Delay: logp.Delivery() + ticks("delay", 0, 60), Spread: ticks("spread", 0, 80), Hangs: rapid.Bool().Draw(t, "hangs")}
	if rapid.Bool().Draw(t, "heartbeat") {
		detector.Period = ticks("period", 0, detector.Delay-logp.Delivery())
	}
	return emu.Config{
		LogP:      logp,
		Network:   uneven{logp.Latency, rapid.Uint64Range(1, 100).Draw(t, "spread"), rapid.Uint64().Draw(t, "network")},
		Detection: detector,
		TimeLimit: 10 * quiet,
		Workers:   1,
	}
}

// drawFaults lets up to all ranks but one fail.
func drawFaults(t *rapid.T, cfg emu.Config) (schedule faults.Schedule) {
	ranks := make([]int, cfg.Ranks)
	for rank := range ranks {
		ranks[rank] = rank
	}
	order := rapid.Permutation(ranks).Draw(t, "order")
	for _, rank := range order[:rapid.IntRange(0, cfg.Ranks-1).Draw(t, "failures")] {
		kind := "crash"
		if cfg.Detection.Hangs && rapid.Bool().Draw(t, "hang") {
			kind = "hang"
		}
		point := rapid.SampledFrom([]string{"t", "before-send", "send", "after-send", "recv"}).Draw(t, "point")
		n := rapid.IntRange(1, 30).Draw(t, "n")
		if point == "t" {
			n = rapid.IntRange(0, 600).Draw(t, "t")
		}
		schedule = append(schedule, faults.MustParse(fmt.Sprintf("%s:%d@%s%d", kind, rank, point, n))...)
	}
	return schedule
}

func TestSurvivorsOfAnythingSeeTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		schedule := drawFaults(t, cfg)
		requireSurvivors(t, cfg, schedule, rapid.SliceOfN(actions, 1, 8).Draw(t, "program"))
	})
}

// requireSurvivors runs a program and wants those who survive to have seen the same.
func requireSurvivors(t require.TestingT, cfg emu.Config, schedule faults.Schedule, program []action) {
	actors := make([]actor, cfg.Ranks)
	machine, err := emu.New(cfg)
	require.NoError(t, err)
	rep, err := machine.Run(context.Background(), ulfm.Program(func(world *ulfm.Comm) {
		a := &actors[world.Rank()]
		*a = actor{me: world.Rank(), c: world, all: []*ulfm.Comm{world}}
		world.SetErrorUniform(ulfm.UniformConstruct)
		a.run(program)
	}), emu.Options{Faults: schedule})
	require.NoError(t, err, "%v", schedule)
	require.Empty(t, rep.Deadlocks, "%v", schedule)
	survivors := live(rep)
	for _, rank := range survivors {
		compare(t, actors, survivors, rank)
	}
}

// compare compares what one survivor has seen with what the others have.
func compare(t require.TestingT, actors []actor, survivors []int, rank int) {
	first, other := &actors[survivors[0]], &actors[rank]
	require.Equal(t, first.end, other.end, "revoked communicators of rank %d", rank)
	require.Len(t, other.trail, len(first.trail))
	for i := range first.trail {
		a, b := first.trail[i], other.trail[i]
		if b.Do == "agree" {
			require.Equal(t, int64(0), b.Flags&^allBut(survivors...), "rank %d: who lives takes part", rank)
		}
		require.Subset(t, b.Members, survivors, "rank %d, action %d", rank, i)
		for _, survivor := range survivors {
			c := actors[survivor].trail[i]
			if b.Do == "shrink" {
				for _, failed := range c.Knew {
					require.NotContains(t, b.Members, failed, "rank %d knew that it had failed", survivor)
				}
			}
			if b.Do == "create" && sameGroup(b.Inner, c.Inner) {
				require.Equal(t, b.Inner, c.Inner, "ranks %d and %d, action %d", rank, survivor, i)
			}
		}
		a.Knew, b.Knew, a.Inner, b.Inner = nil, nil, "", ""
		require.Equal(t, a, b, "ranks %d and %d, action %d", survivors[0], rank, i)
	}
}

// sameGroup reports whether two results are of the same new communicator.
func sameGroup(a, b string) bool {
	groupA, _, _ := strings.Cut(a, ":")
	groupB, _, _ := strings.Cut(b, ":")
	return groupA == groupB
}
