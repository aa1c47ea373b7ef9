package campaign_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// BenchmarkCampaign measures many broadcasts in a row, as campaigns run them: on all processors, on
// machines that are reused. s/1000-runs is the time of a thousand.
func BenchmarkCampaign(b *testing.B) {
	const runs = 20
	for _, ranks := range []string{"1024", "65536"} {
		b.Run("binomial/sync-checked/1%/P="+ranks, func(b *testing.B) {
			c, err := campaign.Parse(catalog.All(), `
				name = "bench"
				line = "broadcast tree=binomial correction=checked faults=crash:1% P=`+ranks+`"
				runs = 20`)
			require.NoError(b, err)
			for b.Loop() {
				require.NoError(b, c.Run(b.Context(), filepath.Join(b.TempDir(), "results.ndjson"), campaign.Options{}))
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N*runs)*1000, "s/1000-runs")
		})
	}
}
