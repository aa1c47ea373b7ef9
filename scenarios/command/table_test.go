package command

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func writeTable(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "costs.csv")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	return name
}

const tableRows = "family,tree,L,o,P,k,d,failed,messages,colouring,quiescence,unreached\n" +
	"sync-checked,binomial,2,1,65536,,,,393215,64,72,0\n"

func TestTableThatHolds(t *testing.T) {
	got := mangrove("table", writeTable(t, tableRows))
	assert.Equal(t, result{"1 rows, 0 differ\n", "", 0}, got)
}

func TestTableThatDiffers(t *testing.T) {
	got := mangrove("table", writeTable(t, tableRows+"tree,binomial,2,1,8,,,1,99,8,8,3\n"))
	assert.Equal(t, 1, got.status)
	assert.Empty(t, got.stderr)
	assert.Equal(t, "line 3: mangrove run broadcast tree=binomial correction=none P=8 L=2 o=1 faults=crash:1\n"+
		"  expected 99 messages, colouring 8, quiescence 8, 3 unreached\n"+
		"  got      4 messages, colouring 9, quiescence 9, 3 unreached\n"+
		"2 rows, 1 differ\n", got.stdout)
}

func TestTableThatCannotBeRead(t *testing.T) {
	name := writeTable(t, tableRows+"tree,oak,2,1,8,,,1,99,8,8,3\nleaf,binomial,2,1,8,,,1,99,8,8,3\n")
	got := mangrove("table", name)
	assert.Equal(t, 2, got.status)
	assert.Empty(t, got.stdout)
	assert.Contains(t, got.stderr, "mangrove: "+name+`: line 3: "tree=oak": want binomial`)
	assert.Contains(t, got.stderr, "mangrove: "+name+`: line 4: family "leaf", want tree`)
	got = mangrove("table", "no/such/file.csv")
	assert.Equal(t, 2, got.status)
	assert.Contains(t, got.stderr, "mangrove: cannot read the table: open no/such/file.csv")
	assert.Equal(t, 2, mangrove("table").status)
}

func TestTableCanBeInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	got := mangroveWith(ctx, testProtocols(), "table", writeTable(t, tableRows))
	assert.Equal(t, 130, got.status)
	assert.Empty(t, got.stdout)
}
