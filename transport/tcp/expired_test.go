package tcp

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// slowContext has not noticed yet that its time is up.
type slowContext struct {
	context.Context
	deadline time.Time
}

func (c slowContext) Deadline() (time.Time, bool) { return c.deadline, true }

// The network may give up at the deadline before the context says that it is over.
func TestTimeIsUpAtTheDeadlineWhateverTheContextSays(t *testing.T) {
	require.False(t, expired(t.Context()), "without a deadline it never is")
	require.True(t, expired(slowContext{t.Context(), time.Now()}))
	require.False(t, expired(slowContext{t.Context(), time.Now().Add(time.Hour)}))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.True(t, expired(ended))
}
