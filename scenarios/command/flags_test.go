package command

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// What flags want is told by what they refuse: all ranges, of hidden commands, too.
func TestWhatFlagsWant(t *testing.T) {
	var b strings.Builder
	a := app{name: ours, registry: catalog.All()}
	for _, command := range a.rootCommand().Commands() {
		fmt.Fprintln(&b, command.Name())
		command.Flags().VisitAll(func(f *pflag.Flag) {
			fmt.Fprintf(&b, "  --%s", f.Name)
			for _, text := range []string{"", "?"} {
				if err := f.Value.Set(text); err != nil && f.Value.Type() != "bool" {
					fmt.Fprintf(&b, "\n    %q: %v", text, err)
				}
			}
			fmt.Fprintln(&b)
		})
	}
	golden(t, "flags", b.String())
}

func TestTicksAreNumbers(t *testing.T) {
	for flag, want := range map[string]string{"--rejoin": "ticks from 1 to 1099511627776", "--cut": "ticks from 0 to 1099511627776"} {
		for _, value := range []string{"", "-1", "a", "1,", "1.5", "1099511627777", "9..8", "1..1001", "1..", "..3", "1..2..3"} {
			got := mangrove("explore", "broadcast", "P=4", flag, value)
			assert.Equal(t, 2, got.status, value)
			assert.Contains(t, got.stderr, want+", with commas between them", value)
		}
	}
	assert.Contains(t, mangrove("explore", "broadcast", "P=4", "--rejoin", "0").stderr, "--rejoin 0: want ticks from 1")
	var read []clock.Time
	flag := ticks(&read, 1)
	require.NoError(t, flag.Set("9,1..4,3,7..8,10"))
	assert.Equal(t, []clock.Time{1, 2, 3, 4, 7, 8, 9, 10}, read)
	assert.Equal(t, "1..4,7..10", flag.String())
	require.NoError(t, flag.Set("5,20,21"))
	assert.Equal(t, "5,20,21", flag.String())
}
