package catalog

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// testdata/broadcast.csv: exact costs of some 1,600 broadcasts. Most rows come from the
// Corrected Trees authors' own simulator, the others from an independent model.
func TestEveryRowOfTheOracleHolds(t *testing.T) {
	file, err := os.Open("../testdata/broadcast.csv")
	require.NoError(t, err)
	defer file.Close()
	rows, err := ReadTable(file)
	require.NoError(t, err)
	require.Len(t, rows, 1600)
	executor := scenarios.NewExecutor(scenarios.Options{})
	for i, row := range rows {
		if testing.Short() && i%10 != 0 {
			continue // the race detector needs a sample only
		}
		got, err := row.Check(context.Background(), executor)
		require.NoError(t, err)
		if got != row.Expected {
			t.Errorf("line %d: %s\n  want %v\n  got  %v", row.Number, row.Run, row.Expected, got)
		}
	}
}

const tableHead = "family,tree,L,o,P,k,d,failed,messages,colouring,quiescence,unreached\n"

func readTable(t *testing.T, text string) []TableRow {
	t.Helper()
	rows, err := ReadTable(strings.NewReader(text))
	require.NoError(t, err)
	return rows
}

// Columns may come in any order, with others between them; k and d may be missing.
func TestTableRowsBecomeLines(t *testing.T) {
	rows := readTable(t, "P,o,L,tree,family,unreached,note,quiescence,colouring,messages,failed,d,k\n"+
		"40,1,2,lame,opp,0,x,3,2,1,4 17,6,3\n"+
		"8, 1,2 ,binomial,sync-checked-inorder,1,,4,3,2,,,\n")
	require.Equal(t, "broadcast tree=lame correction=opportunistic start=overlapped ring=chain early=join k=3 d=6 P=40 L=2 o=1 faults=crash:4,crash:17", rows[0].Run.String())
	require.Equal(t, Cost{1, 2, 3, 0}, rows[0].Expected)
	require.Equal(t, 2, rows[0].Number)
	require.Equal(t, "broadcast tree=binomial correction=checked start=sync numbering=in-order P=8 L=2 o=1", rows[1].Run.String())
	require.Equal(t, "2 messages, colouring 3, quiescence 4, 1 unreached", rows[1].Expected.String())
}

func TestBadTablesAreRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "scenarios: empty table, want a line of column names"},
		{"rows", tableHead, "scenarios: no rows below the column names"},
		{"columns", "family,tree,L,P,k,d,failed,messages,colouring,unreached\n", "scenarios: no column o, quiescence in the first line"},
		{"number", tableHead + "tree,binomial,2,1,4,,,,x,1,-1,0\n", `scenarios: line 2: messages "x", want a number of 0 or more; line 2: quiescence "-1", want a number of 0 or more`},
		{"family", tableHead + "trees,binomial,2,1,4,,,,1,1,1,0\n", `scenarios: line 2: family "trees", want tree, ack, sync-checked, sync-checked-inorder, checked, checked-all, opp or opp-opt; did you mean tree?`},
		{"tree", tableHead + "tree,oak,2,1,4,,,,1,1,1,0\n", `scenarios: line 2: "tree=oak": want binomial, kary, lame or optimal`},
		{"rank", tableHead + "tree,binomial,2,1,4,,,4,1,1,1,0\n", `scenarios: line 2: "faults=crash:4": crash:4@t0: rank 4, want 0 to 3`},
		{"short", tableHead + "tree,binomial\n", "scenarios: record on line 2: wrong number of fields"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadTable(strings.NewReader(c.text))
			require.EqualError(t, err, c.want)
		})
	}
	_, err := ReadTable(strings.NewReader(tableHead + strings.Repeat("x,x,x,x,x,x,x,x,1,1,1,0\n", 100)))
	require.Less(t, len(err.(*line.InputError).Problems), 30, "not hundreds of problems")
}
