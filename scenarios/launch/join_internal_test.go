package launch

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// When time is up a process may hear first that its own other side has hung up.
func TestTimeThatIsUpIsTheReason(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	require.NoError(t, reason(ctx, nil))
	require.Equal(t, io.EOF, reason(ctx, io.EOF))
	cancel(enough)
	require.NoError(t, reason(ctx, nil), "it was over in time")
	require.Equal(t, enough, reason(ctx, io.EOF))
}
