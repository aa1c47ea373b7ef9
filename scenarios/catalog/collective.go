package catalog

import (
	"fmt"
	"slices"
	"sync"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// collectiveCall is an operation as lines name it: each block has n numbers, which say where they
// come from and where they go.
type collectiveCall struct {
	// rooted says that only the root has a result, same that all tasks have the same.
	rooted, same bool
	call         func(t *collective.Team, in *collectiveInput) (results[[]int64], error)
	// want are the numbers that a task must get; nil if they are looked at together.
	want func(in *collectiveInput, task int) []int64
	// together says what is wrong with the numbers that all tasks get; "" if nothing is. Optional.
	together func(results map[int][]int64) string
}

// collectiveInput is what the tasks of a line bring.
type collectiveInput struct {
	tasks, root, n int
	last           int        // the rank that comes to a barrier last
	lateness       clock.Time // and how much later than the others
}

// block is what one task has for another. No two numbers are the same, and none is 0, which is what memory
// is that nobody has written to.
func (in *collectiveInput) block(from, to int) []int64 { return in.appendBlock(nil, from, to) }

func (in *collectiveInput) appendBlock(list []int64, from, to int) []int64 {
	for i := range in.n {
		list = append(list, int64(from+1)<<40|int64(to+1)<<20|int64(i+1))
	}
	return list
}

// appendUneven appends a block of a length that depends on both tasks, from 0 to 2n.
func (in *collectiveInput) appendUneven(list []int64, from, to int) []int64 {
	long := in.appendBlock(in.appendBlock(list, from, to), from, to)
	return long[:len(list)+(from+to)%(2*in.n+1)]
}

func (in *collectiveInput) own(task int) []int64 { return in.block(task, task) }

// appending is one of these.
type appending func(list []int64, from, to int) []int64

// even are the blocks of a task for all others.
func (in *collectiveInput) even(from int) collective.Blocks[int64] {
	list := make([]int64, 0, in.tasks*in.n)
	for to := range in.tasks {
		list = in.appendBlock(list, from, to)
	}
	return collective.EvenBlocks(in.tasks, list)
}

// uneven are such blocks of different lengths.
func (in *collectiveInput) uneven(from int) collective.Blocks[int64] {
	list, ends := make([]int64, 0, in.tasks*in.n), make([]int, in.tasks)
	for to := range ends {
		list = in.appendUneven(list, from, to)
		ends[to] = len(list)
	}
	return collective.UnevenBlocks(list, ends)
}

// lists are the blocks of a task for all others, each by itself.
func (in *collectiveInput) lists(from int) [][]int64 {
	all, even := make([][]int64, in.tasks), in.even(from)
	for to := range all {
		all[to] = even.Of(to)
	}
	return all
}

// received are the blocks for a task, one after the other.
func (in *collectiveInput) received(task int, block appending) []int64 {
	list := make([]int64, 0, in.tasks*in.n)
	for from := range in.tasks {
		list = block(list, from, task)
	}
	return list
}

// concat is what all tasks have, one after the other.
func (in *collectiveInput) concat(of func(task int) []int64) (all []int64) {
	for task := range in.tasks {
		all = append(all, of(task)...)
	}
	return all
}

// combined is what all tasks bring, in the order of tasks, beginning at the root and going round.
func (in *collectiveInput) combined(root int) []int64 {
	all := in.own(root)
	for i := 1; i < in.tasks; i++ {
		all = composition(all, in.own((root+i)%in.tasks))
	}
	return all
}

var collectiveCalls = line.Choices[collectiveCall]{
	{"broadcast", collectiveCall{
		same: true,
		call: func(t *collective.Team, in *collectiveInput) (results[[]int64], error) {
			got, err := collective.Broadcast(t, in.root, collective.Given(in.own))
			return forAll(t, got, err)
		},
		want: func(in *collectiveInput, _ int) []int64 { return in.own(in.root) },
	}},
	{"scatter", collectiveCall{
		call: func(t *collective.Team, in *collectiveInput) (results[[]int64], error) {
			return resultsOf(collective.Scatter(t, in.root, collective.Given(in.lists)))
		},
		want: func(in *collectiveInput, task int) []int64 { return in.block(in.root, task) },
	}},
	{"gather", collectiveCall{
		rooted: true,
		call: func(t *collective.Team, in *collectiveInput) (results[[]int64], error) {
			got, err := collective.Gather(t, in.root, collective.Given(in.own))
			return atRoot(t, in.root, slices.Concat(got...), err)
		},
		want: func(in *collectiveInput, _ int) []int64 { return in.concat(in.own) },
	}},
	{"reduce", collectiveCall{
		rooted: true,
		call: func(t *collective.Team, in *collectiveInput) (results[[]int64], error) {
			got, err := collective.Reduce(t, in.root, collective.Given(in.own), composition)
			return atRoot(t, in.root, got, err)
		},
		want: func(in *collectiveInput, _ int) []int64 { return in.combined(in.root) },
	}},
	{"alltoall", collectiveCall{
		call: func(t *collective.Team, in *collectiveInput) (results[[]int64], error) {
			return joined(collective.AllToAllBlocks(t, collective.Given(in.even)))
		},
		want: func(in *collectiveInput, task int) []int64 { return in.received(task, in.appendBlock) },
	}},
	{"alltoallv", collectiveCall{
		call: func(t *collective.Team, in *collectiveInput) (results[[]int64], error) {
			return joined(collective.AllToAllVBlocks(t, collective.Given(in.uneven)))
		},
		want: func(in *collectiveInput, task int) []int64 { return in.received(task, in.appendUneven) },
	}},
	{"allgather", collectiveCall{
		same: true,
		call: func(t *collective.Team, in *collectiveInput) (results[[]int64], error) {
			got, err := collective.AllGather(t, collective.Given(in.own))
			return forAll(t, slices.Concat(got...), err)
		},
		want: func(in *collectiveInput, _ int) []int64 { return in.concat(in.own) },
	}},
	{"allreduce", collectiveCall{
		same: true,
		call: func(t *collective.Team, in *collectiveInput) (results[[]int64], error) {
			got, err := collective.AllReduce(t, collective.Given(in.own), composition)
			return forAll(t, got, err)
		},
		want: func(in *collectiveInput, _ int) []int64 { return in.combined(0) },
	}},
	{"barrier", collectiveCall{call: passBarrier, together: leftEarly}},
}

// forAll gives each of a rank's tasks what the rank has.
func forAll(t *collective.Team, got []int64, err error) (results[[]int64], error) {
	if err != nil {
		return nil, err
	}
	tasks := t.Mine()
	all := make(results[[]int64], len(tasks))
	for i, task := range tasks {
		all[i] = result[[]int64]{task, got}
	}
	return all, nil
}

// atRoot gives it to the root task.
func atRoot(t *collective.Team, root int, got []int64, err error) (results[[]int64], error) {
	if err != nil || !t.Does(root) {
		return nil, err
	}
	return results[[]int64]{{root, got}}, nil
}

// joined are the blocks of each task, one after the other. It is not on the stack of a rank that waits.
//
//go:noinline
func joined(blocks map[int]collective.Blocks[int64], err error) (results[[]int64], error) {
	all := make(map[int][]int64, len(blocks))
	for task, list := range blocks {
		all[task] = list.All()
	}
	return resultsOf(all, err)
}

var collectiveProtocol = scenarios.Protocol{
	Name:    "collective",
	Summary: "a collective operation that goes on when ranks fail",
	Keys: slices.Concat([]line.Key{
		collectiveCalls.Key("op", "the operation"),
		line.NumberKey("n", 1, 1, 1<<20, "numbers of 8 bytes that a task has, or has for each other").Trying(line.Words("1", "3", "20")),
		rootKey,
		backups.Key("backup", "intermediate results that a reduce keeps on others"),
		line.DecimalKey("risk", "0.01", 0, 1, "probability that a rank fails, for backup=auto"),
		line.TimeKey("combine", 0, 0, uint64(clock.MaxCost), "ticks to combine two values").Trying(line.Words("0", "7")),
		line.TimeKey("restore", 0, 0, uint64(clock.MaxCost), "ticks to restore the data of a task").Trying(line.Words("0", "30")),
	}, teamKeys()),
	Idle:        slices.Concat(teamIdle, collectiveIdle),
	RejoinsWith: againAtFullStrength,
	Steps:       append([]string{collective.StepIteration}, teamSteps...),
	Fuzz:        scenarios.Fuzz{Common: []string{"G"}, Scale: 2},
	Build:       buildCollective,
}

func buildCollective(s line.Settings) (scenarios.Experiment, error) {
	root := s.Int("root")
	in, op := collectiveInputOf(s), collectiveCalls.Of(s, "op")
	combine, restore := s.Ticks("combine"), s.Ticks("restore")
	want := func(task int) []int64 { return op.want(in, task) }
	if op.same {
		common := sync.OnceValue(func() []int64 { return op.want(in, root) })
		want = func(int) []int64 { return common() }
	}
	wrong := func(task int, got []int64) string { return differs(got, want(task)) }
	if op.want == nil {
		wrong = func(int, []int64) string { return "" }
	}
	return buildTeam(s, computation[[]int64]{
		options: collective.Options{
			Backup:  backups.Of(s, "backup"),
			Costs:   collective.Costs{Machine: s.LogP(), Combine: combine, Own: restore, Bytes: 8 * in.n, Failure: s.Decimal("risk")},
			Combine: func(int) clock.Time { return combine },
			Restore: func(int) clock.Time { return restore },
		},
		run:      func(t *collective.Team) (results[[]int64], error) { return op.call(t, in) },
		has:      func(task int) bool { return !op.rooted || task == root },
		wrong:    wrong,
		together: op.together,
		perPeer:  perPeerOf(s.Text("op")) * int64(in.n),
		data:     perNumber * int64(in.n),
	})
}

// differs says where a list is not as it should be.
func differs(got, want []int64) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("number %d is %d, want %d", i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		return fmt.Sprintf("%d numbers, want %d", len(got), len(want))
	}
	return ""
}

// Operations that have a root, and those that combine values.
var (
	withRoot = []string{"broadcast", "scatter", "gather", "reduce"}
	reducing = []string{"reduce", "allreduce"}
)

// collectiveIdle are the keys that have no effect.
var collectiveIdle = []line.Idle{
	{Key: "root", Because: "op", If: unless(withRoot)},
	{Key: "n", Because: "op", If: func(s line.Settings) bool { return s.Text("op") == "barrier" }},
	{Key: "backup", Because: "op", If: unless(reducing)},
	{Key: "combine", Because: "op", If: unless(reducing)},
	{Key: "risk", Because: "backup", If: func(s line.Settings) bool { return backups.Of(s, "backup") != collective.CheaperBackups }},
}

// unless is met if the operation is none of these.
func unless(operations []string) func(line.Settings) bool {
	return func(s line.Settings) bool { return !slices.Contains(operations, s.Text("op")) }
}
