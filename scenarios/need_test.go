package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

func needOf(t *testing.T, text string, opts scenarios.Options) emu.Need {
	run, err := catalog.ParseLine(text)
	require.NoError(t, err, text)
	return run.Need(opts)
}

// What a run needs is what its machine needs, and what its protocol does besides. Where results stay, the first process needs no more than others.
func TestProtocolsNeedMemoryBesidesTheUsual(t *testing.T) {
	usual := needOf(t, "broadcast P=1000", scenarios.Options{})
	require.Equal(t, emu.Need{Ranks: 1000, PerRank: 3300}, usual)
	require.Equal(t, usual, needOf(t, "reduce P=1000", scenarios.Options{}), "only the root notes something")
	require.Equal(t, emu.Need{Ranks: 1000, PerRank: 3300, Everywhere: 8, First: 924}, needOf(t, "allreduce P=1000", scenarios.Options{}))
	require.Equal(t, emu.Need{Ranks: 1000, PerRank: 3300, Everywhere: 8, First: 924}, needOf(t, "broadcast P=1000 repeat=2", scenarios.Options{}))
	require.Equal(t, emu.Need{Ranks: 1000, PerRank: 3300, Everywhere: 192, First: 924}, needOf(t, "membership P=1000", scenarios.Options{}))
	require.Equal(t, emu.Need{Ranks: 1000, PerRank: 3300 + 3200 + 2000, Everywhere: 72, First: 924}, needOf(t, "ulfm P=1000 calls=2", scenarios.Options{}))
	require.Equal(t, emu.Need{Ranks: 1000, PerRank: 3300 + 4200 + 5000 + 40*3 + 30*3*1000, Everywhere: 168, First: 924}, needOf(t, "collective P=1000 op=alltoall n=3", scenarios.Options{}))
	require.Equal(t, emu.Need{Ranks: 1000, PerRank: 3300 + 500 + 5*600}, needOf(t, "gossip P=1000 variant=fcg f=5", scenarios.Options{}))
	require.Equal(t, emu.Need{Ranks: 1000, PerRank: 3300 + 500 + 5*600}, needOf(t, "broadcast P=1000 correction=failure-proof f=5", scenarios.Options{}))
	require.Equal(t, emu.Need{Ranks: 1000, PerRank: 3300 + 6600, First: 6624}, needOf(t, "broadcast P=1000", scenarios.Options{Trace: emu.TraceEvents}))
	require.Equal(t, emu.Need{Ranks: 1000, PerRank: 3300, Fixed: 600 * 7, Shared: 3500 * 7}, needOf(t, "broadcast P=1000 faults=crash:~7", scenarios.Options{}))
}
