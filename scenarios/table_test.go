package scenarios

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// testdata/broadcast.csv: exact costs of some 1,600 broadcasts. Most rows come from the
// Corrected Trees authors' own simulator, the others from an independent model.
func TestEveryRowOfTheOracleHolds(t *testing.T) {
	file, err := os.Open("testdata/broadcast.csv")
	require.NoError(t, err)
	defer file.Close()
	rows, err := ReadTable(file)
	require.NoError(t, err)
	require.Len(t, rows, 1600)
	executor := NewExecutor(Options{})
	for _, row := range rows {
		got, err := executor.Check(context.Background(), row)
		require.NoError(t, err)
		if got != row.Expected {
			t.Errorf("line %d: %s\n  want %v\n  got  %v", row.Number, row.Run, row.Expected, got)
		}
	}
}
