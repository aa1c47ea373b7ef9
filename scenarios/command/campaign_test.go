package command

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

const checkedCampaign = `name = "checked"
line = "broadcast P=64 correction=checked"
runs = %d
seed = 1

[[sweep]]
key = "faults"
values = ["none", "crash:4%%"]
`

// goldenHere compares like golden, from another folder.
func goldenHere(t *testing.T, home, name, got string) {
	t.Helper()
	here, err := os.Getwd()
	require.NoError(t, err)
	require.NoError(t, os.Chdir(home))
	defer func() { require.NoError(t, os.Chdir(here)) }()
	golden(t, name, got)
}

// inCampaignFolder goes to a folder with the description of a campaign.
func inCampaignFolder(t *testing.T, runs int) {
	t.Helper()
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("checked.toml", fmt.Appendf(nil, checkedCampaign, runs), 0o644))
}

func contents(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

func TestCampaignPrintsASummary(t *testing.T) {
	home, err := os.Getwd()
	require.NoError(t, err)
	inCampaignFolder(t, 20)
	got := mangrove("campaign", "checked.toml")
	assert.Zero(t, got.status, got.stderr)
	assert.Empty(t, got.stderr)
	goldenHere(t, home, "campaign", got.stdout)
	goldenHere(t, home, "summary-json", mangrove("summary", "checked.ndjson", "--json").stdout)
	// All is there: nothing is run again.
	assert.Equal(t, got, mangrove("campaign", "checked.toml"))
}

func TestAnInterruptedCampaignGoesOn(t *testing.T) {
	inCampaignFolder(t, 30)
	require.Zero(t, mangrove("campaign", "checked.toml", "--out", "whole").status)
	whole := contents(t, "whole")
	require.NoError(t, os.WriteFile("checked.ndjson", []byte(whole[:len(whole)/2]), 0o644))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := mangroveWith(ctx, catalog.All(), "campaign", "checked.toml")
	require.Equal(t, 130, got.status)
	require.Equal(t, "mangrove: interrupted; the same command goes on with checked.ndjson\n", got.stderr)
	require.Less(t, len(contents(t, "checked.ndjson")), len(whole))
	require.Zero(t, mangrove("campaign", "checked.toml").status)
	require.Equal(t, whole, contents(t, "checked.ndjson"))
}

// killMe makes a process of this test a campaign that is killed.
const killMe = "MANGROVE_TEST_CAMPAIGN"

func TestAKilledCampaignGoesOn(t *testing.T) {
	if os.Getenv(killMe) != "" {
		mangrove("campaign", "checked.toml")
		return
	}
	inCampaignFolder(t, 600)
	require.Zero(t, mangrove("campaign", "checked.toml", "--out", "whole").status)
	whole := int64(len(contents(t, "whole")))
	self, err := os.Executable()
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(1, 2))
	written := int64(0)
	for range 5 {
		process := exec.Command(self, "-test.run", "^TestAKilledCampaignGoesOn$")
		process.Env = append(os.Environ(), killMe+"=1")
		require.NoError(t, process.Start())
		awaitSize(t, "checked.ndjson", min(whole, written+1+random.Int64N(whole/10)))
		_ = process.Process.Kill() // it may have ended
		_ = process.Wait()
		info, err := os.Stat("checked.ndjson")
		require.NoError(t, err)
		written = info.Size()
	}
	require.Zero(t, mangrove("campaign", "checked.toml").status)
	require.Equal(t, contents(t, "whole"), contents(t, "checked.ndjson"))
}

// awaitSize waits until a file has at least so many bytes.
func awaitSize(t *testing.T, path string, size int64) {
	t.Helper()
	require.Eventually(t, func() bool {
		info, err := os.Stat(path)
		return err == nil && info.Size() >= size
	}, patience, time.Millisecond)
}

func TestBadCampaignsExitWith2(t *testing.T) {
	inCampaignFolder(t, 2)
	require.NoError(t, os.WriteFile("bad.toml", []byte("name = \"bad\"\nline = \"broadcast P=0\"\nruns = 0"), 0o644))
	require.NoError(t, os.WriteFile("notes", []byte("mine"), 0o644))
	require.NoError(t, os.WriteFile("huge.toml", []byte("name = \"huge\"\nline = \"broadcast P=16777216\"\nruns = 1"), 0o644))
	for _, c := range []struct {
		args string
		want string
	}{
		{"campaign", "0 files, want one"},
		{"campaign nowhere.toml", "no such file"},
		{"campaign bad.toml", "0 runs of 1 points, want 1 to 1000000000 in all"},
		{"campaign checked.toml --shard 4/4", `--shard "4/4", want i/n with i from 0 to n-1`},
		{"campaign checked.toml --shard half", `--shard "half", want i/n`},
		{"campaign checked.toml --out notes", "notes: is not a file of this campaign and shard"},
		{"campaign huge.toml --workers 4096", "not enough memory for P=16777216"},
		{"merge all.ndjson", "want the file to write, and the parts to read"},
		{"merge all.ndjson notes", "notes: is not a file of results"},
		{"summary notes", "notes: is not a file of results"},
		{"summary", "0 files, want one"},
	} {
		got := mangrove(strings.Fields(c.args)...)
		assert.Equal(t, 2, got.status, c.args)
		assert.Contains(t, got.stderr, c.want, c.args)
		assert.Empty(t, got.stdout, c.args)
	}
	assert.Equal(t, "mine", contents(t, "notes"))
	assert.NoFileExists(t, "all.ndjson")
}

func TestAShardThatIsSaidCountsMoreThanTheTaskOfAJobArray(t *testing.T) {
	t.Setenv("SLURM_ARRAY_TASK_ID", "3")
	t.Setenv("SLURM_ARRAY_TASK_COUNT", "8")
	for said, want := range map[string]campaign.Shard{"": {Index: 3, Count: 8}, "1/2": {Index: 1, Count: 2}} {
		got, err := parseShard(said)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestACampaignRunsInTheSizeThatIsAskedFor(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "name = \"x\"\nline = \"broadcast P=16\"\nruns = 3\nquick = 1\nfull = 5\n"
	require.NoError(t, os.WriteFile("x.toml", []byte(text), 0o666))
	for flag, want := range map[string]struct{ file, runs string }{"--quick": {"x-quick.ndjson", "1"}, "--full": {"x-full.ndjson", "5"}} {
		got := mangrove("campaign", "x.toml", flag)
		require.Zero(t, got.status, got.stderr)
		require.Contains(t, got.stdout, want.file)
		require.Contains(t, got.stdout, want.runs)
		require.FileExists(t, want.file)
		if flag == "--full" {
			require.Regexp(t, `mangrove: x: 5 runs, about \d`, got.stderr)
		}
	}
	require.Equal(t, 2, mangrove("campaign", "x.toml", "--quick", "--full").status)
	require.NoError(t, os.WriteFile("y.toml", []byte("name = \"y\"\nline = \"broadcast P=16\"\nruns = 3\n"), 0o666))
	got := mangrove("campaign", "y.toml", "--quick")
	require.Equal(t, 2, got.status)
	require.Contains(t, got.stderr, "y does not say how many runs are quick")
	require.NoFileExists(t, "y-quick.ndjson")
}
