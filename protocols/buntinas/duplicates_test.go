package buntinas_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whoever gets a message of an attempt twice takes part in it once, and does not refuse what it does already.
func TestMessagesThatArriveTwiceCostNoAttempt(t *testing.T) {
	b := on(t, 8)
	for rank := range 8 {
		for send := 1; send <= 4; send++ {
			for _, after := range []int{1, 3, 8, 20, 100} {
				b.play(t, fmt.Sprintf("twice:%d@send%d+%d", rank, send, after))
				require.Equal(t, 1, b.attempts, "%v", b)
				require.Empty(t, b.broken(), "%v", b)
			}
		}
	}
}
