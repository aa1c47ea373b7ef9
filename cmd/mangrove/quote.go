package main

import (
	"fmt"
	"strings"

	"al.essio.dev/pkg/shellescape"

	"github.com/mangrove-emu/mangrove/scenarios"
)

// commandLine is the command that runs a line.
func commandLine(line string) string { return withWords("mangrove run", line) }

// againLine tells the command that does the same as has been done. On processes that need not
// have the same result.
func againLine(outcome *scenarios.Outcome) string {
	if outcome.Processes == 0 {
		return replayLine(outcome.Line)
	}
	return "again: " + launchLineOf(outcome.Processes, outcome.Line)
}

// launchLineOf is the command that runs a line on processes.
func launchLineOf(processes int, line string) string {
	return withWords(fmt.Sprintf("mangrove launch -n %d", processes), line)
}

// withWords appends the words of a line to a command.
func withWords(text, line string) string {
	return text + " " + shellescape.QuoteCommand(strings.Fields(line))
}

// replayLine tells the command that repeats a run.
func replayLine(line string) string { return "replay: " + commandLine(line) }
