package main

import "github.com/spf13/cobra"

func (a *app) replayCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:     "replay 'LINE'",
		Short:   "Run a line again, such as one from a report",
		Long:    "Run a line again. The line may come as one argument or as several. All else is\nas with run.",
		Example: `  mangrove replay 'broadcast P=1024 seed=7 faults=crash:~10' --json`,
		RunE:    func(cmd *cobra.Command, words []string) error { return a.execute(cmd.Context(), words, f) },
	}
	f.register(cmd)
	return cmd
}
