package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
)

func TestARegistryHasWhatIsOfTheCatalogue(t *testing.T) {
	require.True(t, Has(All()))
	require.True(t, Has(append(All(), scenarios.Protocol{Name: "own"})))
	require.True(t, Has(scenarios.Registry{gossipProtocol, bigProtocol}, "big"))
	require.False(t, Has(All()[1:]))
	require.False(t, Has(scenarios.Registry{gossipProtocol}, "gossip", "big"))
	require.False(t, Has(scenarios.Registry{{Name: "gossip", Summary: "another one"}}, "gossip"))
	require.False(t, Has(append(All(), scenarios.Protocol{Name: "own"}), "own"))
}
