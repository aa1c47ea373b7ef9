package catalog

import (
	"fmt"
	"slices"
	"sync"

	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/applications/samplesort"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

var sampleSortProtocol = scenarios.Protocol{
	Name:    "samplesort",
	Summary: "numbers that are spread over all ranks are sorted",
	Keys: slices.Concat([]line.Key{
		line.NumberKey("n", 100_000, 0, 1<<30, "how many numbers").Trying(line.Words("0", "1", "40", "300")),
		line.AutoKey("sample", 1, 1<<20, "splitters that a task chooses; auto: P, at most 32").Trying(line.Words("auto", "1", "3")),
		line.NumberKey("distinct", 0, 0, 1<<62, "how many different numbers; 0: all are").Trying(line.Words("0", "1", "5")),
	}, rowKeys(), teamKeys()),
	Idle:        teamIdle,
	RejoinsWith: againAtFullStrength,
	Steps:       append([]string{phaseGather, phaseBroadcast, phaseAllToAll, phaseAllToAllV}, teamSteps...),
	Fuzz:        scenarios.Fuzz{Common: []string{"seed"}, Scale: 3},
	Build:       buildSampleSort,
}

func buildSampleSort(s line.Settings) (scenarios.Experiment, error) {
	sorting := sampleSorting{
		source: samplesort.Source{Seed: s.Seed(), Elements: s.Int("n"), Distinct: int64(s.Number("distinct"))},
		tasks:  s.Int("P"),
		sample: line.AutoNumber(s, "sample", min(s.Int("P"), usualSample)),
		costs:  rowCostsOf(s),
	}
	parts := sync.OnceValue(sorting.reference)
	return buildTeam(s, computation[[]int64]{
		run:     sorting.run,
		data:    perNumber * int64(s.Int("n")/s.Int("P")),
		perPeer: perPeerOfSorting,
		has:     func(int) bool { return true },
		wrong:   func(task int, got []int64) string { return differs(got, parts()[task]) },
		details: func(parts map[int][]int64) []scenarios.Detail { return sortedDetails(parts, sorting.tasks) },
	})
}

// usualSample is how many splitters a task chooses at most unless the line says so. The thesis
// has P; on many ranks that would be more splitters than numbers.
const usualSample = 32

// sampleSorting is sample sort as all ranks know it.
type sampleSorting struct {
	source samplesort.Source
	tasks  int
	sample int
	costs  rowCosts
}

// sorter is sample sort on one rank: the four phases of the thesis' section 3.7. What is lost with
// a rank is made again from its source; what others have got of it is not.
type sorter struct {
	sampleSorting
	*collective.Team
	numbers   map[int][]int64   // by task
	groups    map[int][][]int64 // by task
	splitters [][]int64         // of all tasks, at the root
	pivots    []int64
}

func (x sampleSorting) run(t *collective.Team) (results[[]int64], error) {
	s := sorter{sampleSorting: x, Team: t, numbers: make(map[int][]int64), groups: make(map[int][][]int64)}
	for _, phase := range []func() error{s.gather, s.broadcast, s.counts} {
		if err := phase(); err != nil {
			return nil, err
		}
	}
	return resultsOf(s.exchange())
}

// gather is the first phase: every task chooses splitters, the root gets all.
func (s *sorter) gather() (err error) {
	step(s.Team, phaseGather)
	s.splitters, err = collective.Gather(s.Team, 0, collective.Given(func(task int) []int64 {
		return samplesort.Splitters(s.share(task), s.sample, s.source.Rand(task))
	}))
	return err
}

// broadcast is the second: the root chooses pivots. If it fails, splitters are gathered again.
func (s *sorter) broadcast() (err error) {
	step(s.Team, phaseBroadcast)
	s.pivots, err = collective.Broadcast(s.Team, 0, fromRoot(s.gather, func() []int64 { return samplesort.Pivots(slices.Concat(s.splitters...), s.tasks) }))
	return err
}

// counts is the third: all learn how many numbers they will get from whom.
func (s *sorter) counts() error {
	step(s.Team, phaseAllToAll)
	_, err := collective.AllToAll(s.Team, collective.Given(func(task int) [][]int32 {
		counts := make([][]int32, s.tasks)
		for to, group := range s.grouped(task) {
			counts[to] = []int32{int32(len(group))}
		}
		return counts
	}))
	return err
}

// exchange is the fourth: all numbers go where they belong, and are sorted there.
func (s *sorter) exchange() (map[int][]int64, error) {
	step(s.Team, phaseAllToAllV)
	got, err := collective.AllToAllV(s.Team, collective.Given(s.grouped))
	if err != nil {
		return nil, err
	}
	parts := make(map[int][]int64)
	for task, groups := range got {
		parts[task] = samplesort.Join(groups...)
		s.Spend(perThousand(s.costs.work, len(parts[task])))
	}
	return parts, nil
}

// share are the numbers of a task, made when they are needed first.
func (s *sorter) share(task int) []int64 {
	if _, made := s.numbers[task]; !made {
		s.numbers[task] = s.source.Numbers(task, s.tasks)
		s.Spend(s.costs.make(s.Team, task, len(s.numbers[task])))
	}
	return s.numbers[task]
}

// grouped are the numbers of a task by where they go.
func (s *sorter) grouped(task int) [][]int64 {
	if _, made := s.groups[task]; !made {
		s.groups[task] = samplesort.Group(s.share(task), s.pivots)
		s.Spend(perThousand(s.costs.work, len(s.share(task))))
	}
	return s.groups[task]
}

// fromRoot is what task 0 has to tell after it has gathered something, which is gathered again if it is
// lost with a rank.
func fromRoot[T any](gather func() error, tell func() T) collective.Input[T] {
	return collective.Input[T]{
		Of: func(int) T { return tell() },
		Lost: func(tasks []int) error {
			if tasks[0] != 0 {
				return nil
			}
			return gather()
		},
	}
}

// step names the phase that begins, for schedules.
func step(t *collective.Team, name string) { t.Comm().Proc().Step(name) }

// reference is what each task must have in the end: everything sorted, and cut at the pivots.
func (x sampleSorting) reference() [][]int64 {
	var splitters []int64
	for task := range x.tasks {
		splitters = append(splitters, samplesort.Splitters(x.source.Numbers(task, x.tasks), x.sample, x.source.Rand(task))...)
	}
	parts := samplesort.Group(x.source.Sorted(), samplesort.Pivots(splitters, x.tasks))
	for i := range parts {
		slices.Sort(parts[i])
	}
	return parts
}

// sortedDetails says how evenly numbers are spread in the end.
func sortedDetails(parts map[int][]int64, tasks int) []scenarios.Detail {
	total, most := 0, 0
	for _, part := range parts {
		total, most = total+len(part), max(most, len(part))
	}
	return []scenarios.Detail{{Name: "sorted", Text: fmt.Sprintf("%d numbers in %d of %d parts, the longest has %d", total, len(parts), tasks, most)}}
}
