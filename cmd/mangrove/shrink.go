package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/scenarios"
)

func (a *app) shrinkCommand() *cobra.Command {
	runs := 3000
	cmd := &cobra.Command{
		Use:     "shrink 'LINE'",
		Short:   "Make a line that breaks a guarantee smaller",
		Long:    "Make a line smaller that breaks a guarantee: fewer and simpler faults, then\nfewer ranks and smaller parameters, as long as the same guarantee stays broken.\nExit status 1, as that of the line itself; 0 if the line breaks nothing.",
		Example: `  mangrove shrink broadcast P=8`,
		RunE: func(cmd *cobra.Command, words []string) error {
			run, err := a.registry.Parse(withoutCommand(words))
			if err != nil {
				return err
			}
			small, err := run.Shrink(cmd.Context(), runs)
			if errors.Is(err, scenarios.ErrHeld) {
				fmt.Fprintln(a.stdout, "the line breaks no guarantee")
				return nil
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "%s\n", commandLine(small.Line))
			for _, g := range small.Broken {
				fmt.Fprintf(a.stdout, "  %s: %s\n", g.Name, g.Evidence)
			}
			fmt.Fprintf(a.stdout, "%d runs\n", small.Runs)
			return errBroken
		},
	}
	cmd.Flags().IntVar(&runs, "runs", runs, "make up to `n` runs")
	return cmd
}
