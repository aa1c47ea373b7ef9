package command

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// printReport prints the line of a run and how it went.
func printReport(w io.Writer, outcome *scenarios.Outcome, checked, again string) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\n\n", outcome.Line)
	printResults(b, outcome, checked, again)
	return b.Flush()
}

// listTotals lists what a run cost, and whom it reached.
func listTotals(outcome *scenarios.Outcome, row func(name, format string, args ...any)) {
	rep := outcome.Report
	live := rep.Size() - len(rep.Failed)
	within := line.Within(rep.ClockError)
	row("messages", "%d", rep.Messages)
	if !outcome.Reduction {
		row("colouring", "%s%s", outcome.Unit.Show(rep.Colouring), within)
	}
	row("quiescence", "%s%s", outcome.Unit.Show(rep.Quiescence), within)
	row("exit", "%s%s", outcome.Unit.Show(rep.Exit), within)
	if !outcome.Reduction {
		row("reached", "%d of %d live ranks", live-rep.Missed().Count, live)
	}
}

// printResults prints how a run went. All of it but the line that begins with "measured"
// is the same each time the line is run. checked says how running it twice went, if that was
// asked for, and again how to see a broken run again.
func printResults(w io.Writer, outcome *scenarios.Outcome, checked, again string) {
	rep := outcome.Report
	row := func(name, format string, args ...any) { printRow(w, name, format, args...) }
	listTotals(outcome, row)
	for _, f := range outcome.Details {
		row(f.Name, "%s", f.Text)
	}
	printList(w, "failed", "", rep.Failed, 0)
	printList(w, "rejoined", "", rep.Rejoined, 0)
	printList(w, "never fired", "", rep.Unfired, 0)
	printWaiting(w, outcome)
	if outcome.Processes > 0 {
		listProcesses(outcome, row)
	} else {
		row("windows", "%d", rep.Windows)
		row("wakes", "%d", rep.Wakes)
		row("hash", "%s", rep.Hash)
	}
	if checked != "" {
		row("checked", "%s", checked)
	}
	fmt.Fprintln(w)
	for _, note := range outcome.Notes {
		row("note", "%s", note)
	}
	for _, g := range outcome.Guarantees {
		printVerdict(w, g)
	}
	printAnswer(w, outcome.Answer)
	if outcome.Why != nil {
		fmt.Fprintln(w)
		printWhy(w, outcome.Why)
	}
	if outcome.Verdict() == guarantee.Broken {
		fmt.Fprintf(w, "\n%s\n", again)
	}
	printCosts(w, outcome.Costs)
	fmt.Fprintf(w, "\nmeasured: %s wall time", rep.Wall.Round(10*time.Microsecond))
	if outcome.Processes == 0 {
		fmt.Fprintf(w, ", %d bytes per rank", rep.BytesPerRank)
	}
	fmt.Fprintln(w)
	if why := outcome.Unjudged(); why != "" {
		fmt.Fprintln(w, why)
	}
}

// listProcesses lists what there is to say about processes.
func listProcesses(outcome *scenarios.Outcome, row func(name, format string, args ...any)) {
	row("processes", "%d", outcome.Processes)
	row("clocks", "%s", clocks(outcome.Report.ClockError))
	if outcome.Late > 0 {
		row("late", "up to %s behind the model", outcome.Unit.Span(outcome.Late))
	}
}

// clocks says how far times can be trusted that go from one process to another.
func clocks(differ time.Duration) string {
	if line.OneClock(differ) {
		return "one"
	}
	return "those of several hosts: times from one process to another are" + line.Within(differ)
}

// printAnswer prints all rows of a query's answer, as databases do.
func printAnswer(w io.Writer, answer *scenarios.Answer) {
	if answer != nil {
		fmt.Fprintf(w, "\n%s\n", strings.Join(answer.Lines(), "\n"))
	}
}

// printVerdict prints what became of a promise.
func printVerdict(w io.Writer, v guarantee.Verdict) {
	name := v.Value.String()
	if v.Value == guarantee.Broken {
		name = "BROKEN"
	}
	fmt.Fprintf(w, "%-12s %s: %s\n", name, v.Name, v.Why())
}

// printWaiting lists the ranks that wait for ever, and says whether that is a deadlock or
// something that no guarantee forbids here: the one below has the reason.
func printWaiting(w io.Writer, outcome *scenarios.Outcome) {
	broken := func(g guarantee.Verdict) bool {
		return g.Value == guarantee.Broken && g.Name == guarantee.NoDeadlock{}.Name()
	}
	if !slices.ContainsFunc(outcome.Guarantees, broken) {
		printList(w, "waiting", " for ever, which no guarantee forbids here", outcome.Report.Deadlocks, outcome.Report.Unlisted.Deadlocks)
		return
	}
	printList(w, "deadlocked", "", outcome.Report.Deadlocks, outcome.Report.Unlisted.Deadlocks)
}

// printCosts prints what it costs to stand failures, and what to begin again instead, if that was
// asked for.
func printCosts(w io.Writer, costs []scenarios.TeamCost) {
	if len(costs) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%-28s %10s %7s %10s %7s\n", "cost", "messages", "times", "ticks", "times")
	for _, c := range costs {
		if c.Done {
			fmt.Fprintf(w, "%-28s %10d %7.2f %10d %7.2f\n", c.Name, c.Messages, c.TimesMessages, c.Time, c.TimesTime)
		} else {
			fmt.Fprintf(w, "%-28s %10d %7.2f %10s %7s\n", c.Name, c.Messages, c.TimesMessages, "never", "-")
		}
	}
}
