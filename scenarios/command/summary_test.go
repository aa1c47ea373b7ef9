package command

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

func TestSummaryShowsAnyPercentile(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("x.toml", []byte("name = \"x\"\nline = \"broadcast P=64 faults=crash:~3\"\nruns = 40\n"), 0o666))
	require.Zero(t, mangrove("campaign", "x.toml").status)
	got := mangrove("summary", "x.ndjson", "--percentile", "2.5")
	require.Zero(t, got.status, got.stderr)
	require.Contains(t, got.stdout, "2.5 %")
	require.NotContains(t, got.stdout, "99 %")
	_, all, err := campaign.Summarize(catalog.All(), "x.ndjson")
	require.NoError(t, err)
	low, high := all[0].Quiescence.Percentile(2.5), all[0].Quiescence.Percentile(99)
	require.Less(t, low, high)
	require.Regexp(t, fmt.Sprintf(` %v +0\.0 +100\.00`, low), got.stdout)
	got = mangrove("summary", "x.ndjson", "--percentile", "2.5", "--json")
	require.Contains(t, got.stdout, fmt.Sprintf(`"percentile":{"2.5":%v}`, low))
	for _, bad := range []string{"0", "100.1", "-3", "NaN", "x"} {
		require.Equal(t, 2, mangrove("summary", "x.ndjson", "--percentile", bad).status, bad)
	}
}

// A few rows with broken guarantees are shown by their runs, the others are counted.
func TestRunsThatBrokeGuaranteesAreShown(t *testing.T) {
	t.Chdir(t.TempDir())
	lines := "name = \"x\"\nline = \"broadcast correction=none P=64\"\nruns = 3\n[[sweep]]\nkey = \"faults\"\nvalues = [\"none\", \"crash:1\", \"crash:2\", \"crash:3\", \"crash:4\", \"crash:5\", \"crash:6\", \"crash:7\"]\n"
	require.NoError(t, os.WriteFile("x.toml", []byte(lines), 0o666))
	got := mangrove("campaign", "x.toml")
	require.Zero(t, got.status, got.stderr)
	_, shown, found := strings.Cut(got.stdout, "the first run of each row in which a guarantee was broken:\n")
	require.True(t, found, got.stdout)
	shown, _, found = strings.Cut(shown, "\n\njudged ")
	require.True(t, found, got.stdout)
	list := strings.Split(shown, "\n")
	require.Len(t, list, mostBroken+1)
	for i, line := range list[:mostBroken] {
		args := strings.Fields(line)
		require.Equal(t, []string{"mangrove", "run"}, args[:2])
		require.Contains(t, args, fmt.Sprintf("faults=crash:%d", i+1))
		require.Equal(t, 1, mangrove(args[1:]...).status, line)
	}
	require.Equal(t, "  and in 2 more rows", list[mostBroken])
	require.Equal(t, got.stdout, "x.ndjson\n\n"+mangrove("summary", "x.ndjson").stdout)
}
