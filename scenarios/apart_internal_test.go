package scenarios

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/internal/reporttest"
	"github.com/mangrove-emu/mangrove/report"
)

// The longest gap is where it is, also across the ends of parts and of the ring.
func TestGapsAreMeasuredAcrossParts(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 0))
	for range 2000 {
		whole := &report.Report{Ranks: make([]report.RankResult, 1+random.IntN(20))}
		density := random.IntN(5)
		for i := range whole.Ranks {
			if random.IntN(4) < density {
				whole.Ranks[i].Coloured = 9
			}
		}
		want, gap := 0, 0
		for i := range 2 * len(whole.Ranks) { // twice round
			if gap++; whole.Ranks[i%len(whole.Ranks)].Coloured <= 5 {
				gap = 0
			}
			want = max(want, min(gap, len(whole.Ranks)))
		}
		measure := func(rep *report.Report) int { return longestGap(rep, 5) }
		require.Equal(t, want, measure(whole), whole.Ranks)
		for _, got := range reporttest.InParts(t.Context(), whole, 1+random.IntN(8), measure) {
			require.Equal(t, want, got, whole.Ranks)
		}
	}
}

// Parts write the text that one process would, however many ranks they have, and only the first one has it.
func TestPartsWriteOneText(t *testing.T) {
	whole := &report.Report{Ranks: make([]report.RankResult, 2*ranksAtATime+12345), Unlisted: report.Unlisted{Deadlocks: 3}}
	for i := range whole.Ranks {
		whole.Ranks[i] = report.RankResult{Outcome: report.Outcome(i % 4), Coloured: clock.Time(i), Exit: clock.Never}
	}
	write := func(rep *report.Report) string {
		var text bytes.Buffer
		require.NoError(t, (&Outcome{Report: rep, Notes: []string{`"ranks":"here"`}}).WriteJSON(&text))
		return text.String()
	}
	want := write(whole)
	var read struct {
		Report struct {
			Ranks    []struct{ Coloured int }
			Unlisted report.Unlisted
		}
	}
	require.NoError(t, json.Unmarshal([]byte(want), &read))
	require.Len(t, read.Report.Ranks, len(whole.Ranks))
	require.Equal(t, ranksAtATime+5, read.Report.Ranks[ranksAtATime+5].Coloured)
	require.Equal(t, whole.Unlisted, read.Report.Unlisted)
	for _, count := range []int{2, 3} {
		require.True(t, want == reporttest.InParts(t.Context(), whole, count, write)[0], count)
	}
	small := &report.Report{Ranks: whole.Ranks[:2]}
	require.Equal(t, write(small), reporttest.InParts(t.Context(), small, 5, write)[0], "some have none")
}

// fullDisk takes so many bytes.
type fullDisk int

var errFull = errors.New("no space left")

func (d *fullDisk) Write(text []byte) (int, error) {
	if *d -= fullDisk(len(text)); *d < 0 {
		return 0, errFull
	}
	return len(text), nil
}

// A part that cannot write says so, and nobody waits for it.
func TestPartsThatCannotWriteSaySo(t *testing.T) {
	whole := &report.Report{Ranks: make([]report.RankResult, 3*ranksAtATime)}
	for _, room := range []fullDisk{0, 1000, 1 << 22} {
		errs := reporttest.InParts(t.Context(), whole, 2, func(rep *report.Report) error {
			disk := fullDisk(1 << 40)
			if rep.Share.First == 0 {
				disk = room
			}
			return (&Outcome{Report: rep}).WriteJSON(&disk)
		})
		require.ErrorIs(t, errs[0], errFull)
		require.NoError(t, errs[1])
	}
}

// What ranks leave is saved for many of them at once as for each, and nothing else is loaded.
func TestWhatManyRanksLeaveIsSavedAtOnce(t *testing.T) {
	state := func(kept []*int) PerRank[int] {
		return PerRank[int]{Ranks: len(kept), Left: func(rank int) *int { return kept[rank] }, Take: func(rank int, left *int) error {
			if *left < 0 {
				return errors.New("no rank leaves that")
			}
			kept[rank] = left
			return nil
		}}
	}
	a, b, c, minus := 7, 8, 9, -1
	here, there := []*int{&a, nil, &b, nil, &c}, make([]*int, 5)
	data, err := state(here).saveBlock(1, 4)
	require.NoError(t, err)
	require.NoError(t, state(there).loadBlock(1, 4, data))
	require.Equal(t, []*int{nil, nil, &b, nil, &c}, there)

	require.EqualError(t, state(there).loadBlock(1, 3, data), "scenarios: state of rank 4, want 1 to 3")
	require.EqualError(t, state(there).loadBlock(3, 2, data), "scenarios: state of rank 2, want 3 to 4")
	require.ErrorContains(t, state(there).loadBlock(1, 4, data[:len(data)-1]), "cannot load what rank 4 has left")
	require.ErrorContains(t, state(there).loadBlock(1, 4, append(data, 7)), "cannot load what ranks from 1 on have left")
	data, err = state([]*int{nil, &minus}).saveBlock(0, 2)
	require.NoError(t, err)
	require.EqualError(t, state(there).loadBlock(0, 2, data), "scenarios: cannot load what rank 1 has left: no rank leaves that")
	data, err = state(here).saveBlock(1, 1)
	require.NoError(t, err)
	require.Empty(t, data)
}

// Before ranks are asked what they have left, all parts are told what part 0 knows of the end of the run.
func TestPartsAreToldHowTheRunHasEnded(t *testing.T) {
	known := &report.Report{Failed: []report.Failure{{Rank: 1}, {Rank: 4}}, Deadlocks: []report.Deadlock{{}}}
	for rep, want := range map[*report.Report]Ending{known: {Failed: []int{1, 4}, Waiting: true}, {}: {}} {
		told := make([][]Ending, 3)
		errs := parts.Together(t.Context(), 3, func(part parts.Mail) error {
			i := part.Index()
			run := Run{config: emu.Config{LogP: clock.LogP{Ranks: 6}}, experiment: Experiment{State: PerRank[int]{
				Ranks: 6,
				Left: func(rank int) *int {
					left := 10*len(told[i]) + rank
					return &left
				},
				Take: func(rank int, left *int) error {
					if *left != 10+rank {
						return errors.New("asked before it was told")
					}
					return nil
				},
				Over: func(e Ending) { told[i] = append(told[i], e) },
			}}}
			own := rep
			if i > 0 {
				own = new(report.Report) // it knows nothing
			}
			return run.gather(part, own)
		})
		require.Equal(t, make([]error, 3), errs)
		require.Equal(t, [][]Ending{{want}, {want}, {want}}, told)
	}
}
