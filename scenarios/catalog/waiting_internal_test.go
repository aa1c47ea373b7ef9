package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// Ranks hand over what somebody will ask for, and no more: of a machine of a million ranks each would list all others.
func TestNotesOfRanksElsewhere(t *testing.T) {
	note := func(rank int, failed []int) ulfm.Note { return ulfm.Note{Returned: clock.Time(rank), Knows: failed} }
	require.Equal(t, &ulfm.Note{Returned: 2, Knows: []int{0, 1, 2, 3}}, noteElsewhere(note, 2, 4, nil), "nobody knows how the run has ended")
	require.Equal(t, &ulfm.Note{Returned: 2, Knows: []int{1}}, noteElsewhere(note, 2, 4, &scenarios.Ending{Failed: []int{1}, Waiting: true}))
	require.Nil(t, noteElsewhere(note, 2, 4, &scenarios.Ending{Failed: []int{1}}), "nobody waits")
}
