package command

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

func (a *app) mergeCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "merge FILE PART...",
		Short:   "Join the results of all shards of a campaign",
		Long:    "Write to FILE the results of a whole campaign, from those of all its shards. It\nis what a campaign without shards writes, byte by byte.",
		Example: "  mangrove merge checked.ndjson checked-*-of-4.ndjson",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return errors.New("merge: want the file to write, and the parts to read")
			}
			return campaign.Merge(args[0], args[1:])
		},
	}
}
