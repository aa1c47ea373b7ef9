package main

import "strings"

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
func commandLine(line string) string {
	text := "mangrove run"
	for word := range strings.FieldsSeq(line) {
		text += " " + shellQuote(word)
	}
	return text
}

// replayLine tells the command that repeats a run.
func replayLine(line string) string { return "replay: " + commandLine(line) }
