package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
)

// A run on the machine of a file is that on the machine that is typed.
func TestAFileIsAsGoodAsWords(t *testing.T) {
	name := writeFile(t, "tick = \"100ns\"\nL = 120\no = 23\ng = 25\nG = 2\n")
	text := "broadcast P=8 machine=" + name
	requireSame(t, mustParse(t, text))
	typed := mustExecute(t, "broadcast P=8 tick=100ns L=120 o=23 g=25 G=2", scenarios.Options{})
	filed := mustExecute(t, text, scenarios.Options{})
	require.Equal(t, typed.Report.Hash, filed.Report.Hash)
	require.Equal(t, typed.Unit, filed.Unit)
	require.Equal(t, mustParse(t, text).Settings().LogP(), mustParse(t, text).Config().LogP)
}

func TestAProtocolRefusesTheNetworkOfAFile(t *testing.T) {
	_, err := ParseLine("broadcast start=overlapped correction=delayed P=8 machine=" + writeFile(t, "network = \"switch:3\""))
	require.ErrorContains(t, err, `"network=switch:3" of "machine=`)
}
