package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/scenarios/launch"
)

// workerCommand is what launch starts; nobody else needs it.
func (a *app) workerCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "worker",
		Short:  "Take part in a job as a process that launch has started",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return failed(launch.Work(cmd.Context(), a.registry, a.stdin, func(line string) { fmt.Fprintln(a.stderr, line) }))
		},
	}
}
