package command

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShardsMakeTheFileOfTheWhole(t *testing.T) {
	inCampaignFolder(t, 25)
	require.Zero(t, mangrove("campaign", "checked.toml").status)
	for i := range 3 {
		require.Zero(t, mangrove("campaign", "checked.toml", "--shard", fmt.Sprintf("%d/3", i)).status)
	}
	got := mangrove("merge", "merged.ndjson", "checked-1-of-3.ndjson", "checked-0-of-3.ndjson", "checked-2-of-3.ndjson")
	require.Zero(t, got.status, got.stderr)
	require.Equal(t, contents(t, "checked.ndjson"), contents(t, "merged.ndjson"))
}
