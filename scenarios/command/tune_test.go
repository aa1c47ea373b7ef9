package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTuneSaysWhatItWants(t *testing.T) {
	for _, c := range []struct{ words, stderr string }{
		{"tune", `tune "": want tune gossip`},
		{"tune trees", `tune "trees": want tune gossip`},
		{"tune gossip N=1", `"N=1": want a number from 2 to 2147483647`},
		{"paper", "no name, want all or some of: trees-fig1b"},
		{"paper nothing", `paper "nothing": want trees-fig1b`},
		{"paper gossip-table --runs -1", "--runs -1: want a whole number from 0 to 1000000000"},
	} {
		got := mangrove(strings.Fields(c.words)...)
		assert.Equal(t, statusInput, got.status, c.words)
		assert.Contains(t, got.stderr, c.stderr, c.words)
	}
	got := mangrove("tune", "gossip", "N=64", "--json")
	assert.Equal(t, statusHeld, got.status)
	assert.Contains(t, got.stdout, `"variant":"ccg","T":`)
}
