package paper

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
