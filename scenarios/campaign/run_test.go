package campaign

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// That no goroutine is left behind is checked at the end of all tests.
func TestRunsEndWhenNobodyWantsTheirRecords(t *testing.T) {
	c := parse(t, small)
	count := 0
	for record, err := range c.records(t.Context(), Shard{0, 1}, 0, c.Jobs(), 4) {
		require.NoError(t, err)
		require.Equal(t, count, record.Job)
		if count++; count == 3 {
			break
		}
	}
	require.Equal(t, 3, count)
}
