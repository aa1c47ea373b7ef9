package command

import (
	"regexp"
	"strings"

	"al.essio.dev/pkg/shellescape"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandName is what users call this command line.
type commandName string

// ours is the name in the texts of this package, in the place of which others are told theirs.
const ours = "mangrove"

var ourName = regexp.MustCompile(`\b` + ours + `\b`)

// intoHelp puts the name into all that a command and those below it say about themselves.
func (n commandName) intoHelp(cmd *cobra.Command) {
	if n == ours {
		return
	}
	for _, text := range []*string{&cmd.Use, &cmd.Short, &cmd.Long, &cmd.Example} {
		*text = n.in(*text)
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = n.in(f.Usage) })
	for _, below := range cmd.Commands() {
		n.intoHelp(below)
	}
}

// in is a text of this package with this name.
func (n commandName) in(text string) string { return ourName.ReplaceAllLiteralString(text, string(n)) }

// run is the command that runs a line.
func (n commandName) run(line string) string {
	return string(n) + " run " + shellescape.QuoteCommand(strings.Fields(line))
}

// replay tells the command that repeats a run.
func (n commandName) replay(line string) string { return "replay: " + n.run(line) }

// exploreAdvice is for commands that run one line.
func (n commandName) exploreAdvice(number string) string {
	return n.in("a line has its faults, such as faults=crash:3@send2; 'mangrove explore' runs all schedules of up to " + number)
}

// shrinkAdvice is for lines copied from the first line of an exploration.
func (n commandName) shrinkAdvice(string) string {
	return n.in("want a line with the faults that break something, such as one that 'mangrove explore' has found")
}
