package command

import (
	"context"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/paper"
)

func TestAnExperimentLeavesATableAndPictures(t *testing.T) {
	out := filepath.Join(t.TempDir(), "new", "folder")
	got := mangrove("paper", "gossip-fig3", "--runs", "2", "--out", out)
	require.Zero(t, got.status, got.stderr)
	require.Contains(t, got.stdout, filepath.Join(out, "gossip-fig3-2.{csv,svg,png}"))
	table, err := os.ReadFile(filepath.Join(out, "gossip-fig3-2.csv"))
	require.NoError(t, err)
	require.Greater(t, strings.Count(string(table), "\n"), 10)
	drawing, err := os.ReadFile(filepath.Join(out, "gossip-fig3-2.svg"))
	require.NoError(t, err)
	require.Contains(t, string(drawing), "</svg>")
	file, err := os.Open(filepath.Join(out, "gossip-fig3-2.png"))
	require.NoError(t, err)
	defer file.Close()
	picture, err := png.Decode(file)
	require.NoError(t, err)
	require.Greater(t, picture.Bounds().Dx(), 600)

	again := mangrove("paper", "gossip-fig3", "--runs", "2", "--out", out) // nothing is run
	require.Equal(t, got.stdout, again.stdout)
}

func TestAnExperimentAsJSON(t *testing.T) {
	got := mangrove("paper", "gossip-fig3", "--runs", "2", "--out", t.TempDir(), "--json")
	require.Zero(t, got.status, got.stderr)
	var result struct {
		Name string
		Rows []map[string]any
	}
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &result))
	require.Equal(t, "gossip-fig3", result.Name)
	require.NotEmpty(t, result.Rows)
}

func TestBadWordsAfterPaper(t *testing.T) {
	t.Chdir(t.TempDir())
	for words, want := range map[string]string{
		"":                                   "paper: no name, want all or some of: trees-fig1b",
		"trees-fig99":                        `paper "trees-fig99": want trees-fig1b`,
		"trees-fig6 trees-fig99":             `paper "trees-fig99"`,
		"all trees-fig6":                     "paper: all and other names, want one of the two",
		"trees-fig6 --out /dev/null/x":       "/dev/null",
		"trees-fig6 --quick --full":          "want one of --quick and --full",
		"trees-fig6 --quick --runs 7":        "--runs 7 and --quick, want one of the two",
		"trees-fig6 --runs -1":               "-1",
		"trees-fig6 --workers 1000000000000": "1000000000000",
	} {
		got := mangrove(append([]string{"paper"}, strings.Fields(words)...)...)
		require.Equal(t, 2, got.status, words)
		require.Contains(t, got.stderr, want, words)
		require.Empty(t, got.stdout, words)
	}
	require.NoDirExists(t, "paper")
}

func TestAnInterruptedExperimentGoesOn(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	out := t.TempDir()
	got := mangroveWith(ctx, catalog.All(), "paper", "gossip-fig3", "--runs", "2", "--out", out)
	require.Equal(t, 130, got.status)
	require.Contains(t, got.stderr, "interrupted; the same command goes on with what is in "+out)
}

// A file of another campaign is left as it is.
func TestAFolderWithOtherResults(t *testing.T) {
	out := t.TempDir()
	e, err := paper.Find("gossip-fig3")
	require.NoError(t, err)
	file := filepath.Join(out, e.Campaigns[0]+"-2.ndjson")
	require.NoError(t, os.WriteFile(file, []byte("my diary\n"), 0o666))
	got := mangrove("paper", "gossip-fig3", "--runs", "2", "--out", out)
	require.Equal(t, 2, got.status)
	require.Contains(t, got.stderr, "is not a file of this campaign")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "my diary\n", string(text))
}

func TestHelpOfPaper(t *testing.T) {
	got := mangrove("help", "paper")
	require.Zero(t, got.status)
	for _, name := range paper.Names() {
		require.Contains(t, got.stdout, name)
	}
	line80(t, got.stdout)
}

// What experiments print that take no time. Documents contain it.
func TestGoldenPapers(t *testing.T) {
	home, err := os.Getwd()
	require.NoError(t, err)
	for _, name := range []string{"collective-size", "collective-reduce", "tpch-q3", "membership-bgl"} {
		t.Run(name, func(t *testing.T) {
			if !thorough.All() && name == "collective-reduce" {
				t.Skip("hundreds of runs, which -thorough makes")
			}
			t.Chdir(t.TempDir())
			got := mangrove("paper", name)
			assert.Zero(t, got.status, got.stderr)
			goldenHere(t, home, "paper-"+name, got.stdout)
			for _, format := range []string{"csv", "svg", "png"} {
				assert.FileExists(t, "paper/"+name+"."+format)
			}
			if runtime.GOARCH == "amd64" { // others may round otherwise
				assert.True(t, contents(t, "paper/"+name+".svg") == contents(t, filepath.Join(home, "../../docs/pictures", name+".svg")), "docs/pictures has another %s.svg", name)
			}
		})
	}
}

func TestPapersAreMadeAgain(t *testing.T) {
	t.Chdir(t.TempDir())
	got := mangrove("paper", "gossip-fig5", "--runs", "1")
	require.Equal(t, statusHeld, got.status, got.stderr)
	assert.Contains(t, got.stdout, "\n24          34 ")
	assert.Contains(t, got.stdout, "the last rank is done")
}
