package command

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/scenarios/launch"
)

func (a *app) agentCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "agent",
		Short: "Start processes on this host for a launcher on another one",
		Long: `Start processes on this host for a launcher on another one, which starts the
agent over ssh and talks to it over its standard input and output. When the
input ends, all processes that it has started are killed.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			self, err := os.Executable()
			if err == nil {
				err = launch.Serve(cmd.Context(), []string{self, "worker"}, a.stdin, a.stdout, a.stderr)
			}
			return failed(err)
		},
	}
}
