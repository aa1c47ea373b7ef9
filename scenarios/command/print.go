package command

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// show prints a result for people, or as JSON.
func show(w io.Writer, result interface{ print(io.Writer) error }, asJSON bool) error {
	if asJSON {
		return printJSON(w, result)
	}
	return result.print(w)
}

// printJSON prints one line of JSON.
func printJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// printOutcome is printJSON of an outcome, of which there may be more than fits into memory.
func printOutcome(w io.Writer, outcome *scenarios.Outcome) error {
	b := bufio.NewWriter(w)
	err := outcome.WriteJSON(b)
	fmt.Fprintln(b)
	return cmp.Or(err, b.Flush())
}

// printRow prints a line of a report.
func printRow(w io.Writer, name, format string, args ...any) {
	fmt.Fprintf(w, "%-12s %s\n", name, fmt.Sprintf(format, args...))
}

// maxListed is how many items a list in a report has at most.
const maxListed = 8

// printList prints how many items there are, those included that the list leaves out, a remark, and the first items, one a line. An
// empty list is left out.
func printList[T fmt.Stringer](w io.Writer, name, remark string, items []T, unlisted int) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(w, "%-12s %d%s\n", name, len(items)+unlisted, remark)
	for i, item := range items {
		if i == maxListed {
			fmt.Fprintf(w, "%14sand %d more\n", "", len(items)+unlisted-i)
			return
		}
		fmt.Fprintf(w, "%14s%s\n", "", item)
	}
}

// printWrapped prints words in indented lines of up to 80 columns.
func printWrapped(w io.Writer, indent, text string) {
	printHanging(w, indent[:len(indent)-1], indent, text)
}

// printHanging prints words after what the first line begins with, in lines of up to 80
// columns. Further lines are indented.
func printHanging(w io.Writer, line, indent, text string) {
	for i, word := range strings.Fields(text) {
		if i > 0 && len(line)+1+len(word) > 80 {
			fmt.Fprintln(w, line)
			line = indent[:len(indent)-1]
		}
		line += " " + word
	}
	fmt.Fprintln(w, line)
}

// countOrMore is text.Count for numbers that are counted as far as they go.
func countOrMore(n int64, what string) string {
	if n == math.MaxInt64 {
		return fmt.Sprintf("%d or more %ss", n, what)
	}
	return text.Count(n, what)
}

// rate writes a number with as many digits as are of interest.
func rate(r float64) string {
	if r < 10 {
		return fmt.Sprintf("%.2g", r)
	}
	return fmt.Sprintf("%.0f", r)
}
