package command

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

func TestShrinkPrintsASmallerLine(t *testing.T) {
	got := mangrove("shrink", "--why=false", "mangrove run broadcast P=300 correction=none faults=crash:~20")
	assert.Equal(t, result{"mangrove run broadcast P=4 correction=none faults=crash:1@t0\n" +
		"  reaches every live rank: rank 3 never reached; beyond what is claimed: nobody fails (rank 1 crashed at t=0)\n" +
		"  no deadlock: rank 3 waiting for ever; beyond what is claimed: nobody fails (rank 1 crashed at t=0)\n" +
		strings.Split(got.stdout, "\n")[3] + "\nfound as\nmangrove run broadcast P=300 correction=none 'faults=crash:~20'\n", "", 1}, got)
	held := mangrove("shrink", "broadcast P=8")
	assert.Equal(t, result{"the line breaks no guarantee\n", "", 0}, held)
}

func TestShrinkAsJSON(t *testing.T) {
	got := mangrove("shrink", "--json", "broadcast P=30 correction=none faults=crash:1")
	assert.Equal(t, 1, got.status)
	assert.Contains(t, got.stdout, `{"line":"broadcast P=4 correction=none faults=crash:1@t0","found":"broadcast P=30 correction=none faults=crash:1","interrupted":false,"held":false,"runs":`)
	held := mangrove("shrink", "--json", "broadcast P=8")
	assert.Equal(t, result{`{"line":"broadcast P=8","found":"broadcast P=8","interrupted":false,"held":true,"runs":0,"broken":[]}` + "\n", "", 0}, held)
}

func TestShrinkChangesWhatItMay(t *testing.T) {
	const line = "broadcast P=64 correction=opportunistic d=2 tree=kary k=5 faults=crash:4,crash:5,crash:6,crash:7,crash:8"
	for flags, want := range map[string]string{
		"":                 "mangrove run broadcast P=34 correction=opportunistic d=2 tree=kary k=5 faults=crash:1@t0,crash:7@t0,crash:8@t0\n",
		"--all":            "mangrove run broadcast P=4 correction=opportunistic d=0 faults=crash:1@t0\n",
		"--all --keep d,k": "mangrove run broadcast P=8 correction=opportunistic d=2 k=5 faults=crash:1@t0,crash:2@t0\n",
		"--keep faults,P":  "mangrove run broadcast P=64 correction=opportunistic d=2 tree=kary k=5 faults=crash:4@t0,crash:5@t0,crash:6@t0,crash:7@t0,crash:8@t0\n",
	} {
		got := mangrove(append(strings.Fields("shrink "+flags), line)...)
		assert.Equal(t, 1, got.status)
		assert.True(t, strings.HasPrefix(got.stdout, want), "%s: %s", flags, got.stdout)
	}
	assert.Contains(t, mangrove("shrink", line, "--keep", "Q").stderr, "--keep Q: want some of tree, k, numbering, root, ")
}

// An interrupt ends it with the best line so far.
func TestInterruptedShrinkPrintsTheBestLine(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	registry := testProtocols()
	build, calls := registry[0].Build, 0
	registry[0].Build = func(s line.Settings) (scenarios.Experiment, error) {
		if calls++; calls == 6 {
			cancel()
		}
		return build(s)
	}
	got := mangroveWith(ctx, registry, "shrink", "broadcast P=300 correction=none seed=5 faults=crash:~200")
	assert.Equal(t, 130, got.status)
	assert.Equal(t, "mangrove: interrupted\n", got.stderr)
	assert.True(t, strings.HasPrefix(got.stdout, "INTERRUPTED, the smallest line so far\nmangrove run broadcast "), got.stdout)
}
