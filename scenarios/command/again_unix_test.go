//go:build unix

package command

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// otherValues are values of flags that are not the usual ones, and not easy to type.
var otherValues = map[string]string{
	"agent": "mangrove agent", "times": "4", "compare": "true", "connect": "false", "encrypt": "true", "force": "true", "hosts": "a,u@b=10.0.0.2", "json": "true",
	"key": "my key's.txt", "listen": "[::1]:0", "make-key": "$(k)", "out": "a b.toml", "pace": "model", "patience": "1m30s",
	"peers": "a:7000,b:7000", "plot": "ratios.svg", "process": "1", "processes": "3", "quiet": "true", "runs": "7", "ssh": "ssh -o BatchMode=yes", "storage": "what they keep", "timeout": "200ms", "trace": "events here.json", "turns": "3",
}

// A new flag of these commands is in their again lines without anybody having thought of it, and fails here only if it has no value above.
func TestEveryFlagThatWasTypedIsSaidAgain(t *testing.T) {
	const line = "broadcast P=3 seed=9 faults=crash:~1,hang:#2"
	a := &app{name: ours, registry: testProtocols()}
	for _, c := range []struct {
		make   func() *cobra.Command
		again  func(*cobra.Command) again
		except []string
	}{
		{a.launchCommand, func(cmd *cobra.Command) again {
			f := launchFlags{typed: typedFlags(cmd.Flags(), "processes", "runs")}
			f.Processes = 3
			return f.again(ours, "launch")
		}, []string{"runs"}},
		{a.calibrateCommand, func(cmd *cobra.Command) again {
			f := launchFlags{typed: typedFlags(cmd.Flags(), "processes")}
			f.Processes = 3
			return f.again(ours, "calibrate")
		}, nil},
		{a.joinCommand, func(cmd *cobra.Command) again {
			f := joinFlags{typed: typedFlags(cmd.Flags(), "process")}
			f.Process = 1
			return f.again(ours)
		}, nil},
	} {
		first, second := c.make(), c.make()
		first.Flags().VisitAll(func(f *pflag.Flag) {
			value, known := otherValues[f.Name]
			require.True(t, known, "no value for --%s", f.Name)
			require.NoError(t, first.Flags().Set(f.Name, value))
		})
		text, said := strings.CutPrefix(c.again(first).run(line), "again: mangrove "+first.Name()+" ")
		require.True(t, said)
		require.NoError(t, second.ParseFlags(asTheShellReads(t, text)), text)
		require.Equal(t, strings.Fields(line), second.Flags().Args())
		second.Flags().VisitAll(func(f *pflag.Flag) {
			require.Equal(t, !slices.Contains(c.except, f.Name), f.Changed, "--%s in %s", f.Name, text)
			if f.Changed {
				require.Equal(t, first.Flag(f.Name).Value.String(), f.Value.String(), text)
			}
		})
	}
}

// asTheShellReads are the words of a command.
func asTheShellReads(t *testing.T, text string) []string {
	t.Helper()
	out, err := exec.Command("sh", "-c", `printf '%s\n' `+text).Output()
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

// What was not typed is not said.
func TestUsualFlagsAreNotSaidAgain(t *testing.T) {
	a := &app{name: ours, registry: testProtocols()}
	cmd := a.launchCommand()
	require.NoError(t, cmd.ParseFlags([]string{"--connect", "--pace=sends"}))
	require.Equal(t, []string{"--connect", "--pace", "sends"}, typedFlags(cmd.Flags()))
}
