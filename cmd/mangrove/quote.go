package main

import (
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/scenarios"
)

// plain are the characters that no shell treats in a special way within a word. Neither ~
// nor # is among them: some shells expand the one after : and =, and the other in patterns.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789=:@%,._/+-"

// shellQuote returns a word as it must be typed.
func shellQuote(word string) string {
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// commandLine is the command that runs a line.
func commandLine(line string) string { return withWords("mangrove run", line) }

// againLine tells the command that does the same as has been done. On processes that need not
// have the same result.
func againLine(outcome *scenarios.Outcome) string {
	if outcome.Processes == 0 {
		return replayLine(outcome.Line)
	}
	return "again: " + withWords(fmt.Sprintf("mangrove launch -n %d", outcome.Processes), outcome.Line)
}

// withWords appends the words of a line to a command.
func withWords(text, line string) string {
	for word := range strings.FieldsSeq(line) {
		text += " " + shellQuote(word)
	}
	return text
}

// replayLine tells the command that repeats a run.
func replayLine(line string) string { return "replay: " + commandLine(line) }
