package catalog

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/applications/tpch"
)

// All ten rows are there, in the order and with the digits of the reference, whoever fails.
func TestTheAnswerHasAllRows(t *testing.T) {
	want := []string{"l_orderkey|revenue|o_orderdate|o_shippriority"}
	for _, r := range tpch.Default().Run(tpch.Database{Scale: 0.01, Seed: 9}) {
		want = append(want, strings.Join([]string{strconv.FormatInt(r.Order, 10), r.RevenueText(), r.Date.String(), "0"}, "|"))
	}
	require.Len(t, want, 11)
	for _, faults := range []string{"none", "crash:0@step:gather", "crash:1@step:broadcast,crash:2@step:alltoallv", "crash:3@step:reduce"} {
		for _, strategy := range []string{"tolerant", "optimistic", "restart"} {
			outcome := mustExecute(t, "tpch-q3 P=5 sf=0.01 seed=9 strategy="+strategy+" faults="+faults, scenarios.Options{})
			require.Equal(t, want, outcome.Answer.Lines(), "%s, %s", strategy, faults)
		}
	}
}

// Who has no answer has none, which is not the same as one without rows.
func TestNoAnswerAndAnEmptyOne(t *testing.T) {
	require.Nil(t, mustExecute(t, "tpch-q3 P=4 sf=0.001 strategy=plain faults=crash:1@step:gather", scenarios.Options{}).Answer)
	empty := mustExecute(t, "tpch-q3 P=4 sf=0.001 date=1992-01-01", scenarios.Options{}).Answer
	require.NotNil(t, empty)
	require.Len(t, empty.Lines(), 1)
	require.Nil(t, mustExecute(t, "samplesort P=4 n=10", scenarios.Options{}).Answer)
}

func TestOnlyTheQueryHasTables(t *testing.T) {
	for _, p := range All() {
		run, err := p.ParseLine(p.Name)
		require.NoError(t, err)
		exports := run.Experiment().Exports
		if p.Name != "tpch-q3" {
			require.Nil(t, exports, p.Name)
			continue
		}
		var names []string
		for _, file := range exports() {
			names = append(names, file.Name)
			var text bytes.Buffer
			require.NoError(t, file.Write(&text))
			require.NotEmpty(t, text.String())
		}
		require.Equal(t, []string{"customer.tbl", "orders.tbl", "lineitem.tbl", "query3.sql"}, names)
	}
}

// Ranks that know the same keep it once, and those that know something else are not told what others know.
func TestRanksShareSetsThatAreTheSame(t *testing.T) {
	var sets lastSet
	first := sets.keep(tpch.NewSet([]int32{1, 2}))
	require.True(t, first.Equal(sets.keep(tpch.NewSet([]int32{2}, []int32{1}))))
	other := sets.keep(tpch.NewSet([]int32{1, 3}))
	require.True(t, other.Equal(tpch.NewSet([]int32{1, 3})))
	require.False(t, other.Equal(first))
	require.True(t, sets.keep(tpch.Set{}).Equal(tpch.Set{}))
}

// The right answers are those of the questions, however many are asked at once.
func TestReferencesAreThoseOfTheirQuestions(t *testing.T) {
	var waiting sync.WaitGroup
	defer waiting.Wait()
	for seed := range uint64(3 * maxReferences) {
		waiting.Go(func() {
			for _, segment := range []tpch.Segment{0, 1} {
				q := question{db: tpch.Database{Scale: 0.0005, Seed: seed % (2 * maxReferences)}, query: tpch.Query{Segment: segment, Date: 1169}}
				if got := q.reference()(); !slices.Equal(q.query.Run(q.db), got) {
					t.Errorf("seed %d, segment %d: %v", seed, segment, got)
				}
			}
		})
	}
}

func TestTheSameQuestionHasOneReference(t *testing.T) {
	asked := 0
	q := question{db: tpch.Database{Scale: 0.001, Seed: 123_456}, query: tpch.Default()}
	q.reference()
	references.Lock()
	key := reference{q.db, q.query}
	references.known[key] = func() []tpch.Result { asked++; return nil }
	references.Unlock()
	defer func() {
		references.Lock()
		delete(references.known, key)
		references.Unlock()
	}()
	q.reference()()
	q.db.Seed++
	q.reference()()
	require.Equal(t, 1, asked)
	references.Lock()
	defer references.Unlock()
	require.LessOrEqual(t, len(references.known), maxReferences)
}
