package command

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Ranks that wait are deadlocked only if the guarantee about deadlocks says so.
func TestExcusedRanksWait(t *testing.T) {
	got := mangrove("run", "broadcast", "P=8", "correction=none", "faults=crash:0@after-send1")
	assert.Equal(t, statusBroken, got.status)
	assert.Contains(t, got.stdout, "waiting")
	assert.NotContains(t, got.stdout, "deadlocked")
}
