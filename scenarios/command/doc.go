// Package command is the command line of Mangrove for any protocols: run, explore, fuzz, shrink, campaign, compare, view, launch and more.
//
// # Files
//
// Here are flags and printing, and nothing that other programs could want. Each command has a file of its name.
// What commands share is in app.go (the tree of commands), errors.go (how they end), flags.go, search.go, bound.go
// and launchflags.go (flags), print.go, report.go and progress.go (printing), outfile.go, trace.go and state.go (files).
package command
