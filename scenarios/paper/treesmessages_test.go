package paper

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Figure 6: checked corrections send 5 messages a rank beyond the tree, whatever the tree and the number
// of ranks.
func TestCheckedCorrectionSendsFiveMessagesBeyondTheTree(t *testing.T) {
	r := small(t, "trees-fig6", 1)
	require.Equal(t, "5.00", claim(t, r, "checked correction: messages a rank beyond the tree").Ours)
	require.True(t, claim(t, r, "checked correction: messages a rank beyond the tree").Holds)
	require.True(t, claim(t, r, "acknowledged tree: messages a rank").Holds)
	require.True(t, claim(t, r, "opportunistic over checked").Holds)
	require.Equal(t, 24575.0/4096, cell(t, r, "4K", "binomial, checked"))
	require.Equal(t, 8190.0/4096, cell(t, r, "4K", "binomial, acknowledged"))
}
