package paper

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/report/figure"
)

func TestATableIsAligned(t *testing.T) {
	table := Table{Columns: []Column{{Name: "tree", Left: true}, {Name: "P"}, {Name: "mean", Digits: 1}, {Name: "±", Digits: 2}}}
	table.add("Lamé", 1024, 12.345, math.NaN()) // cannot be told
	table.add("binomial", 8, 7.0, 0.5)
	require.Equal(t, ""+
		"tree         P  mean     ±\n"+
		"Lamé      1024  12.3     -\n"+
		"binomial     8   7.0  0.50\n", table.Text())
	var csv strings.Builder
	require.NoError(t, table.writeCSV(&csv))
	require.Equal(t, "tree,P,mean,±\nLamé,1024,12.345,\nbinomial,8,7,0.5\n", csv.String())
	require.Panics(t, func() { table.add(1, 2) })
}

func TestAResultSaysWhatDiffers(t *testing.T) {
	r := Result{
		Name: "x", Note: "a machine", Foot: "a word",
		Table:  Table{Columns: []Column{{Name: "P"}}, Rows: [][]any{{7}}},
		Claims: []Claim{{What: "height", Paper: "3", Ours: "3", Holds: true}, {What: "width", Paper: "4", Ours: "5"}},
	}
	require.Equal(t, "a machine\n\nP\n7\n\n        paper  ours\nheight      3     3\nwidth       4     5  differs\n\na word\n", r.Text())
	text, err := json.Marshal(&r)
	require.NoError(t, err)
	require.JSONEq(t, `{"name":"x","note":"a machine","rows":[{"P":7}],"foot":"a word","claims":[
		{"what":"height","paper":"3","ours":"3","holds":true},{"what":"width","paper":"4","ours":"5","holds":false}]}`, string(text))
}

func TestNumbersReadWell(t *testing.T) {
	require.Equal(t, []string{"7", "999", "1,000", "65,536", "1,234,567"},
		[]string{thousands(7), thousands(999), thousands(1000), thousands(65536), thousands(1234567)})
	require.Equal(t, "1.9 to 2.0", (&reach{1.94, 2}).text(1))
	require.Equal(t, "5.00", (&reach{4.999, 5.001}).text(2))
	require.Equal(t, []string{"512", "1K", "64K"}, []string{sizeName(512), sizeName(1024), sizeName(65536)})
}

func TestAResultIsSavedAsTableAndPictures(t *testing.T) {
	folder := t.TempDir()
	r := Result{Table: Table{Columns: []Column{{Name: "x"}}, Rows: [][]any{{1.5}}}, Drawing: figure.Figure{
		Title: "T", Series: []figure.Series{{Points: []figure.Point{{X: 1, Y: 2}, {X: 2, Y: 3}}}},
	}}
	require.NoError(t, r.Save(folder, "some"))
	for name, begins := range map[string]string{"some.csv": "x\n1.5\n", "some.svg": "<?xml", "some.png": "\x89PNG"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		require.Equal(t, begins, string(text[:len(begins)]))
	}
	require.Error(t, r.Save(filepath.Join(folder, "none"), "some"))
}
