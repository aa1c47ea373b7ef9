package command

import (
	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/scenarios/line"
)

func (a *app) replayCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:         "replay 'LINE'",
		Short:       "Run a line again, such as one from a report",
		Long:        "Run a line again. The line may come as one argument or as several, with\n\"mangrove run\" in front or without. All else is as with run.",
		Example:     `  mangrove replay 'broadcast P=1024 seed=7 faults=crash:~10' --json`,
		Annotations: map[string]string{sharable: "yes"},
		RunE: func(cmd *cobra.Command, words []string) error {
			return a.runLine(cmd.Context(), a.withoutCommand(words), f)
		},
	}
	f.register(cmd, a)
	return cmd
}

// withoutCommand takes such as "mangrove run" off a line that was copied together with it.
func (a *app) withoutCommand(words []string) []string {
	words = line.Fields(words)
	if len(words) >= 2 && words[0] == string(a.name) && (words[1] == "run" || words[1] == "replay") {
		return words[2:]
	}
	return words
}
