package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/internal/wholefile"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

var tableHelp = fmt.Sprintf(`Run every broadcast of a table and compare what it costs with what the table
says. Rows that differ are printed, with the line that runs them again; exit
status 1 if there are any. FILE is - for standard input.

A table has comma-separated values with the names of the columns first:
%s
family is one of
%s
tree, L, o, P, k and d are as in a line; k and d may be empty. failed lists
ranks that are down from the start, with blanks between them.`,
	wrapped(catalog.TableColumns()), wrapped(catalog.Families()))

// wrapped lists names in indented lines.
func wrapped(names []string) string {
	var b strings.Builder
	printWrapped(&b, "  ", strings.Join(names, ", "))
	return strings.TrimSuffix(b.String(), "\n")
}

func (a *app) tableCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "table FILE.csv",
		Short: "Compare the costs of broadcasts with a table",
		Long:  tableHelp,
		Args:  cobra.ExactArgs(1),
		RunE:  func(cmd *cobra.Command, args []string) error { return a.checkTable(cmd.Context(), args[0]) },
	}
}

// checkTable prints every row that differs, and how many do.
func (a *app) checkTable(ctx context.Context, name string) error {
	rows, err := a.readTable(name)
	if err != nil {
		return err
	}
	executor := scenarios.NewExecutor(scenarios.Options{})
	differ := 0
	for _, row := range rows {
		got, err := row.Check(ctx, executor)
		if ctx.Err() != nil {
			return interrupted{}
		}
		if err != nil {
			return failure{fmt.Errorf("line %d: %w\n%s", row.Number, err, a.name.replay(row.Run.String()))}
		}
		if got != row.Expected {
			differ++
			fmt.Fprintf(a.stdout, "line %d: %s\n  expected %v\n  got      %v\n", row.Number, a.name.run(row.Run.String()), row.Expected, got)
		}
	}
	if _, err := fmt.Fprintf(a.stdout, "%d rows, %d differ\n", len(rows), differ); err != nil {
		return err
	}
	if differ > 0 {
		return errBroken
	}
	return nil
}

// readTable reads all rows before any is run, so that mistakes are found at once.
func (a *app) readTable(name string) ([]catalog.TableRow, error) {
	var in io.Reader = a.stdin
	if name != "-" {
		file, err := wholefile.Open(name)
		if err != nil {
			return nil, fmt.Errorf("cannot read the table: %w", err)
		}
		defer file.Close()
		in = file
	}
	rows, err := catalog.ReadTable(in)
	var input *line.InputError
	if !errors.As(err, &input) {
		return rows, err
	}
	var wrong complaints
	for _, problem := range input.Problems {
		wrong = append(wrong, name+": "+problem)
	}
	return nil, wrong
}
