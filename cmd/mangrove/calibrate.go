package main

import (
	"context"

	"github.com/spf13/cobra"
)

func (a *app) calibrateCommand() *cobra.Command {
	return &cobra.Command{Use: "calibrate", RunE: func(cmd *cobra.Command, _ []string) error { return a.calibrate(cmd.Context()) }}
}

func (a *app) calibrate(context.Context) error { return nil }
