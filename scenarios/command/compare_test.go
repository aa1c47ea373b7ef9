package command

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCompareDraws(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"compare", "broadcast", "gossip", "broadcast correction=none", "--with", "P=64 faults=crash:4%", "--runs", "20"}
	plain := mangrove(args...)
	drawn := mangrove(append(args, "--plot", "a.svg", "--plot", "b.png")...)
	require.Zero(t, drawn.status, drawn.stderr)
	assert.Equal(t, plain, drawn, "what is printed does not change")
	svg := contents(t, "a.svg")
	for _, want := range []string{"P=64 faults=crash:4%", "Latency", "colouring, mean", "quiescence, 99 %", "time (ticks)", "Messages", "Live ranks missed, on the average", "Runs that missed live ranks", "20 runs of each line", ">gossip<"} {
		assert.Contains(t, svg, want)
	}
	_, err := png.Decode(bytes.NewReader([]byte(contents(t, "b.png"))))
	assert.NoError(t, err)
	require.Zero(t, mangrove(append(args, "--plot", "again.svg", "--workers", "1", "--json")...).status)
	assert.Equal(t, svg, contents(t, "again.svg"), "the same comparison gives the same picture")
	left, err := os.ReadDir(".")
	require.NoError(t, err)
	assert.Len(t, left, 3, "and nothing else")
}

func TestCompareDrawsComputations(t *testing.T) {
	t.Chdir(t.TempDir())
	got := mangrove("compare", "samplesort n=100", "collective op=reduce", "--with", "P=4", "--runs", "1", "--plot", "done.svg")
	require.Zero(t, got.status, got.stderr)
	svg := contents(t, "done.svg")
	for _, want := range []string{"Time until the result is there", "done, 99 %", "Messages", "Runs in which all guarantees held", "1 run of each line"} {
		assert.Contains(t, svg, want)
	}
	assert.NotContains(t, svg, "Live ranks")
}

func TestWhereCompareCannotDrawNothingIsRun(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("folder.svg", 0o755))
	require.NoError(t, os.WriteFile("mine.pdf", []byte("mine"), 0o644))
	for _, c := range []struct{ plot, want string }{
		{"mine.pdf", "--plot mine.pdf: want a file that ends with .svg or .png"},
		{"", "--plot '': want a file that ends with .svg or .png"},
		{filepath.Join("none", "a.svg"), "cannot draw in none/a.svg"},
		{"folder.svg", "cannot draw in folder.svg"},
	} {
		got := mangrove("compare", "endless", "spins", "--plot", "good.svg", "--plot", c.plot)
		assert.Equal(t, statusInput, got.status, c.plot)
		assert.Contains(t, got.stderr, c.want)
		assert.Empty(t, got.stdout)
	}
	assert.NoFileExists(t, "good.svg")
	assert.Equal(t, "mine", contents(t, "mine.pdf"))
}

func TestTheDocumentShowsWhatCompareDraws(t *testing.T) {
	document := contents(t, "../../docs/campaigns.md")
	shown := textElements.FindAllString(contents(t, "../../docs/pictures/compare.svg"), -1)
	t.Chdir(t.TempDir())
	got := mangrove("compare", "broadcast tree=lame", "broadcast", "gossip", "big", "broadcast correction=none",
		"--with", "P=256 faults=crash:1%", "--runs", "50", "--plot", "compare.svg")
	require.Zero(t, got.status, got.stderr)
	assert.Contains(t, document, `
mangrove compare 'broadcast tree=lame' broadcast gossip big 'broadcast correction=none' --with 'P=256 faults=crash:1%' --runs 50 --plot docs/pictures/compare.svg
`+got.stdout)
	assert.Equal(t, shown, textElements.FindAllString(contents(t, "compare.svg"), -1))
}

// textElements are the texts of an SVG. Where lines are may differ between machines by the last digit.
var textElements = regexp.MustCompile(`>[^<>]+</text>`)
