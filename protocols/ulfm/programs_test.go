package ulfm_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Random programs, the same on all ranks, on random machines with random failures: those who
// survive must have seen the same. There are 10,000 of them with -thorough, and as many as one likes
// with -rapid.checks.
func TestSurvivorsOfAnythingSeeTheSame(t *testing.T) {
	checks := flag.Lookup("rapid.checks")
	if usual := checks.Value.String(); thorough.All() && usual == checks.DefValue {
		require.NoError(t, checks.Value.Set("10000"))
		defer func() { require.NoError(t, checks.Value.Set(usual)) }()
	}
	rapid.Check(t, func(t *rapid.T) { drawExperiment(t).requireSurvivors(t) })
}

// Random programs are worth something only if they get to where it is hard: ranks that have come back and take
// part, communicators that some have and others have not.
func TestRandomProgramsGoWhereItIsHard(t *testing.T) {
	drawn := rapid.Custom(drawExperiment)
	var merged, differed int
	for seed := range 400 {
		for _, a := range drawn.Example(seed).requireSurvivors(t) {
			if a.began > 0 && len(a.trail) > 0 {
				merged++
			}
			if a.lacked {
				differed++
			}
		}
	}
	require.NotZero(t, merged, "nobody has come back and taken part")
	require.NotZero(t, differed, "nobody has had what others lacked")
}

// experiment is a random program and what it runs on.
type experiment struct {
	options  ulfm.Options
	cfg      emu.Config
	schedule faults.Schedule
	program  []action
}

func drawExperiment(t *rapid.T) experiment {
	e := experiment{options: ulfm.Options{
		Agreement:  drawNamed(t, "agreement", ulfm.Rounds, ulfm.EarlyReturning, ulfm.OpenMPI, ulfm.Gathering),
		Revocation: drawNamed(t, "revoke", ulfm.BinomialGraph, ulfm.Flooding),
	}}
	e.cfg = drawConfig(t)
	e.schedule = drawFaults(t, e.cfg, e.options.Agreement)
	e.program = rapid.SliceOfN(actions, 1, 8).Draw(t, "program")
	return e
}

// drawNamed draws by name, so that a failing case shows it.
func drawNamed[T fmt.Stringer](t *rapid.T, label string, all ...T) T {
	var names []string
	for _, one := range all {
		names = append(names, one.String())
	}
	return all[slices.Index(names, rapid.SampledFrom(names).Draw(t, label))]
}

// action is one line of a random program.
type action struct {
	Do  string
	Who int64 // bits of ranks of the machine, for those that differ by rank
}

var actions = rapid.Custom(func(t *rapid.T) action {
	return action{
		Do: rapid.SampledFrom([]string{
			"agree", "agree", "iagree", "shrink", "ishrink", "create", "uniform", "dup", "split", "grow", "revoke", "acknowledge", "some", "pass", "compute",
		}).Draw(t, "do"),
		Who: rapid.Int64Range(0, 1<<16-1).Draw(t, "who"),
	}
})

// result is what a rank has seen of one action. All but Knew must be the same on all ranks that
// live on, Inner on those of one group.
type result struct {
	Do       string
	Flags    int64
	Reported bool  // the error was ErrProcFailed
	Failed   []int // named by the error
	Revoked  bool  // the error was ErrRevoked
	Members  []int // of a new communicator, or of the one in use
	Inner    string
	Knew     []int // ranks of the machine known to have failed before
}

// actor is one rank of a random program, in its last life.
type actor struct {
	me      int
	by      ulfm.Agreement
	c       *ulfm.Comm
	all     []*ulfm.Comm // that it has had, as long as nobody has come back
	trail   []result
	began   int            // the action that the first of the trail is
	returns func(int) bool // whether a rank of the machine comes back
	end     []bool         // which of them are revoked in the end
	lacked  bool           // it had a new communicator that others lacked
}

// quiet is when all has happened that can.
const quiet = 60_000

// run runs the program from some action on.
func (a *actor) run(program []action) {
	for i := a.began; i < len(program); i++ {
		next := program[i]
		a.do(i, next, next.Who&(1<<a.me) != 0)
	}
	for a.c.Proc().Now() < quiet {
		a.c.Revoked()
		a.c.Spend(200)
	}
	for _, c := range a.all {
		a.end = append(a.end, c.Revoked())
	}
}

func (a *actor) do(number int, what action, chosen bool) {
	r := result{Do: what.Do, Members: a.c.Members()}
	for _, member := range a.c.GetAcked() {
		r.Knew = append(r.Knew, a.c.MachineRank(member))
	}
	var err error
	switch what.Do {
	case "agree":
		r.Flags, err = a.c.Agree(allBut(a.me))
		if a.by != ulfm.OpenMPI { // which may leave out one that others had acknowledged
			checkAbsent(a.c, r.Flags, err)
		}
	case "iagree":
		request := a.c.Iagree(allBut(a.me))
		a.pass()
		_, err = request.Wait()
		r.Flags = request.Flags()
	case "shrink":
		smaller, err := a.c.Shrink()
		a.becomes(smaller, err)
		r.Members = a.c.Members()
	case "ishrink":
		request := a.c.Ishrink()
		a.pass()
		_, err := request.Wait()
		a.becomes(request.Comm(), err)
		r.Members = a.c.Members()
	case "create", "uniform", "dup", "split":
		r.Inner, err = a.make(what, chosen)
	case "grow":
		a.becomes(strength(a.c, a.returns), nil)
		a.all = nil // a rank that comes back has not had them
		a.tell(number)
		r.Members = a.c.Members()
	case "revoke":
		if chosen {
			a.c.Revoke()
		}
	case "acknowledge":
		if chosen {
			a.c.FailureAck()
		}
	case "some":
		a.c.AckFailed(a.me % 3)
	case "pass":
		a.pass()
	case "compute":
		a.c.Spend(clock.Time(what.Who) >> 8 * clock.Time(a.me%3))
	}
	r.Reported, r.Revoked = errors.Is(err, ulfm.ErrProcFailed), errors.Is(err, ulfm.ErrRevoked)
	var ok bool
	if r.Failed, ok = named(err); !ok && !r.Revoked {
		panic(err)
	}
	a.trail = append(a.trail, r)
}

// becomes goes on with another communicator.
func (a *actor) becomes(c *ulfm.Comm, err error) {
	if err != nil {
		panic(err)
	}
	if len(a.trail)%2 == 0 && a.all == nil { // those of the list are asked about in the end
		a.c.Free()
	}
	a.c = c
	if a.all != nil {
		a.all = append(a.all, c)
	}
}

// tell lets those who have come back know which action the others are in.
func (a *actor) tell(number int) {
	flags, _ := a.c.Agree(int64(number))
	if number < 0 {
		a.began = int(flags) + 1
	}
}

// well is what to agree on after a call that may have failed on some.
func well(err error) int64 {
	if err != nil {
		return 0
	}
	return 1
}

// pass passes a message around a ring, as far as it goes.
func (a *actor) pass() {
	size := a.c.Size()
	_, _ = a.c.Sendrecv((a.c.Rank()+1)%size, 0, "", (a.c.Rank()+size-1)%size, 0)
}

// make makes another communicator and has its members agree, if all have it.
func (a *actor) make(what action, chosen bool) (inner string, err error) {
	var part *ulfm.Comm
	switch what.Do {
	case "create":
		part, err = a.c.Create(a.group(what.Who, chosen))
	case "uniform":
		a.c.SetErrorUniform(ulfm.UniformConstruct)
		part, err = a.c.Create(a.group(what.Who, chosen))
		a.c.SetErrorUniform(ulfm.UniformLocal)
		return a.inner(part, err), err
	case "dup":
		part, err = a.c.Dup()
	case "split":
		part, err = a.c.Split(a.me%2, -a.me)
	}
	flags, _ := a.c.Agree(well(err))
	if flags == 0 {
		a.lacked = a.lacked || err == nil
		return "", nil
	}
	if err != nil {
		panic("all have it, and one has not")
	}
	inner = a.inner(part, nil)
	if what.Who%2 == 0 {
		part.Free()
	}
	return inner, nil
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
	return fmt.Sprintf("%v: %b, %v", c.Members(), flags, err)
}

// drawConfig draws a machine with a detector that is never wrong: at once, delayed, differing by
// observer, with signs of life.
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
	detector := emu.Detection{Delay: logp.Delivery(), Hangs: rapid.Bool().Draw(t, "hangs")}
	switch rapid.SampledFrom([]string{"at once", "by observer", "heartbeat"}).Draw(t, "detector") {
	case "by observer":
		detector.Delay += ticks("delay", 0, 60)
		detector.Spread = ticks("spread", 1, 200)
	case "heartbeat":
		detector.Delay += ticks("delay", 1, 60)
		detector.Period = ticks("period", 1, detector.Delay-logp.Delivery())
	}
	return emu.Config{
		LogP:      logp,
		Network:   uneven{logp.Latency, rapid.Uint64Range(1, 100).Draw(t, "spread"), rapid.Uint64().Draw(t, "network")},
		Detection: detector,
		TimeLimit: 10 * quiet,
		Workers:   1,
	}
}

// comeback is when ranks are started anew.
const comeback = 3000

// consensus reports whether an agreement is one that stands any failures.
func consensus(a ulfm.Agreement) bool { return a == ulfm.Rounds || a == ulfm.EarlyReturning }

// drawFaults lets up to all ranks but one fail, and some of those that fail by the clock come back, and may fail and come back once more. With the
// agreements of others they fail before the run, and rank 0 lives: that is what both stand.
func drawFaults(t *rapid.T, cfg emu.Config, agreement ulfm.Agreement) (schedule faults.Schedule) {
	anytime := consensus(agreement)
	var ranks []int
	for rank := range cfg.Ranks {
		if rank > 0 || anytime {
			ranks = append(ranks, rank)
		}
	}
	order := rapid.Permutation(ranks).Draw(t, "order")
	for _, rank := range order[:rapid.IntRange(0, cfg.Ranks-1).Draw(t, "failures")] {
		kind := "crash"
		if cfg.Detection.Hangs && rapid.Bool().Draw(t, "hang") {
			kind = "hang"
		}
		point, n := "t", 0
		if anytime {
			point = rapid.SampledFrom([]string{"t", "before-send", "send", "after-send", "recv"}).Draw(t, "point")
			n = rapid.IntRange(1, 30).Draw(t, "n")
			if point == "t" {
				n = rapid.IntRange(0, 600).Draw(t, "t")
			}
		}
		text := fmt.Sprintf("%s:%d@%s%d", kind, rank, point, n)
		if point == "t" && rapid.Bool().Draw(t, "comes back") {
			when := comeback + rapid.IntRange(0, 600).Draw(t, "when")
			text += fmt.Sprintf(",rejoin:%d@t%d", rank, when)
			if anytime && rapid.Bool().Draw(t, "fails again") {
				text += fmt.Sprintf(",%s:%d@t%d", kind, rank, when+rapid.IntRange(1, 600).Draw(t, "how soon"))
				text += fmt.Sprintf(",rejoin:%d@t%d", rank, 2*comeback+rapid.IntRange(0, 600).Draw(t, "when again"))
			}
		}
		schedule = append(schedule, faults.MustParse(text)...)
	}
	return schedule
}

// comingBack says which ranks are started anew.
func comingBack(schedule faults.Schedule) func(rank int) bool {
	return func(rank int) bool {
		return slices.ContainsFunc(schedule, func(f faults.Fault) bool { return f.Kind == faults.Rejoin && f.Rank == rank })
	}
}

// requireSurvivors runs a program and wants those who survive to have seen the same.
func (e experiment) requireSurvivors(t require.TestingT) []actor {
	actors := make([]actor, e.cfg.Ranks)
	machine, err := emu.New(e.cfg)
	require.NoError(t, err)
	rep, err := machine.Run(context.Background(), e.options.Program(func(world *ulfm.Comm) {
		me := world.Proc().Rank()
		a := &actors[me]
		*a = actor{me: me, by: e.options.Agreement, c: world, all: []*ulfm.Comm{world}, returns: comingBack(e.schedule)}
		if world.Proc().Life() > 0 {
			a.began, a.all = len(e.program), nil // should nobody call for it
			for a.c = nil; a.c == nil; {
				a.c = world.Parent().Together(me)
			}
			a.tell(-1)
		}
		a.run(e.program)
	}), emu.Options{Faults: e.schedule})
	require.NoError(t, err, "%v", e.schedule)
	require.Empty(t, rep.Deadlocks, "%v", e.schedule)
	survivors := live(rep)
	for _, rank := range survivors {
		if a := &actors[rank]; a.began == 0 { // it was there all the time
			for _, other := range survivors {
				e.compare(t, a, &actors[other])
			}
			return actors
		}
	}
	require.Fail(t, "nobody was there all the time")
	return nil
}

// compare compares what one survivor has seen with what another has.
func (e experiment) compare(t require.TestingT, first, other *actor) {
	if other.began == 0 && first.all != nil {
		require.Equal(t, first.end, other.end, "revoked communicators of ranks %d and %d", first.me, other.me)
	}
	require.Len(t, first.trail, other.began+len(other.trail))
	for i, b := range other.trail {
		a := first.trail[other.began+i]
		if strings.HasSuffix(b.Do, "shrink") {
			for _, failed := range a.Knew {
				require.NotContains(t, b.Members, failed, "rank %d knew that it had failed", first.me)
			}
			for _, failed := range b.Knew {
				require.NotContains(t, a.Members, failed, "rank %d knew that it had failed", other.me)
			}
		}
		if sameGroup(a.Inner, b.Inner) {
			require.Equal(t, a.Inner, b.Inner, "ranks %d and %d, action %d", first.me, other.me, other.began+i)
		}
		a.Knew, b.Knew, a.Inner, b.Inner = nil, nil, "", ""
		if e.options.Agreement == ulfm.Gathering { // each names those that it has not acknowledged itself
			a.Failed, b.Failed = nil, nil
		}
		require.Equal(t, a, b, "ranks %d and %d, action %d", first.me, other.me, other.began+i)
		if b.Do == "agree" {
			require.Zero(t, b.Flags&(1<<other.me), "rank %d: who lives takes part", other.me)
		}
		require.Contains(t, b.Members, other.me)
	}
}

// sameGroup reports whether two results are of the same new communicator.
func sameGroup(a, b string) bool {
	groupA, _, _ := strings.Cut(a, ":")
	groupB, _, _ := strings.Cut(b, ":")
	return groupA == groupB
}
