package view_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/viewtest"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/report/view"
)

// Rank 1 fails in the middle of making two records safe. In its next life it finds nothing, and writes them down again.
func TestDataOfStorage(t *testing.T) {
	run := viewtest.OfLog(t, 2, clock.Disk{Write: 2, Sync: 6, Read: 1}, "crash:1@sync1,rejoin:1@t20")
	run.Ranks = view.Range{First: 1, Last: 1}
	s := dataOf(t, run).Storage
	require.NotNil(t, s)
	assert.Equal(t, []string{"read", "write", "sync-lost", "forget"}, s.Kinds)
	assert.Equal(t, []string{"", "entry 0", "last"}, s.Names)
	assert.Equal(t, view.Column{0, 1, 1, 2, 3, 0}, s.Kind)
	assert.Equal(t, view.Column{0, 1, 2, 0, 0, 0}, s.Name)
	assert.Equal(t, []int64{0, 6, 8, 10, 13, 20}, instants(s.Start))
	assert.Equal(t, view.Column{1, 2, 2, 3, 0, 1}, s.Took)
	assert.Equal(t, view.Column{0, 0, 0, 0, 2, 0}, s.Lost)
	assert.Equal(t, view.Column{1, 1, 1, 1, 1, 1}, s.Rank)
}

// What ranks do that are not drawn is not on the page, and nothing at all is said of storage where there is none.
func TestPagesWithoutStorageHaveNothingOfIt(t *testing.T) {
	run := viewtest.OfLog(t, 3, clock.Disk{}, "none")
	all := dataOf(t, run).Storage
	run.Ranks = view.Range{First: 1, Last: 2}
	assert.Less(t, dataOf(t, run).Storage.Count, all.Count)
	run = viewtest.OfVote(t, 3, "none")
	assert.Nil(t, dataOf(t, run).Storage)
	text, err := json.Marshal(dataOf(t, run))
	require.NoError(t, err)
	assert.NotContains(t, string(text), `"storage"`)
}

// An operation is written down when it begins. The page ends when it has ended, even if nothing else happens then.
func TestAPageEndsWhenStorageHasBeenWritten(t *testing.T) {
	write := report.Event{Time: 25, Kind: report.EventWrite, Peer: report.NoPeer, Step: "x", A: 30}
	require.EqualValues(t, 55, dataOf(t, handMade("none", write)).End)
	write.Kind = report.EventForget // A is not a time
	require.EqualValues(t, 25, dataOf(t, handMade("none", write)).End)
}

func TestOperationsOfStorageAreLeftOutLikeOthers(t *testing.T) {
	run := viewtest.OfLog(t, 3, clock.Disk{Write: 1, Sync: 3}, "none")
	whole := dataOf(t, run)
	all := whole.Messages.Count + whole.Steps.Count + whole.Storage.Count
	run.Limit = all
	assert.Empty(t, dataOf(t, run).LeftOut)
	run.Limit = all - 5
	d := dataOf(t, run)
	assert.Equal(t, all-5, d.Messages.Count+d.Steps.Count+d.Storage.Count)
	require.Len(t, d.LeftOut, 1)
	assert.Contains(t, d.LeftOut[0], ", 5 messages, notices, steps and operations of storage are not drawn")
}
