package command

import (
	"context"
	"slices"
	"strings"

	"al.essio.dev/pkg/shellescape"
	"github.com/spf13/pflag"
)

// again is the command that does once more what a command has done: with all flags that were typed, as the set of flags has them, so
// that none can be forgotten. On processes that need not have the same result.
type again struct {
	command []string // and flags that are said in any case
	typed   []string // all others that were typed
	remark  string   // for readers; shells take it for a comment
}

// typedFlags are the flags that somebody has set, as words of a command.
func typedFlags(flags *pflag.FlagSet, except ...string) (words []string) {
	flags.Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok { // which would have brackets
			value = strings.Join(list.GetSlice(), ",")
		}
		switch {
		case slices.Contains(except, f.Name):
		case f.NoOptDefVal == "": // the value is a word of its own
			words = append(words, "--"+f.Name, value)
		case f.NoOptDefVal == value:
			words = append(words, "--"+f.Name)
		default:
			words = append(words, "--"+f.Name+"="+value)
		}
	})
	return words
}

// with is the command for the words of a line.
func (a again) with(line ...string) string {
	text := shellescape.QuoteCommand(slices.Concat(a.command, a.typed, line))
	if a.remark != "" {
		text += " # " + a.remark
	}
	return text
}

// run is what to say about a run of a line.
func (a again) run(line string) string { return "again: " + a.with(strings.Fields(line)...) }

// failed is about a run of a line without an outcome. It is of no use to try an address again at which nobody can listen.
func (a again) failed(ctx context.Context, line string, err error) error {
	if isAddress(err) {
		return badAddress("listen", err)
	}
	return noOutcome(ctx, err, "\n"+a.run(line))
}
