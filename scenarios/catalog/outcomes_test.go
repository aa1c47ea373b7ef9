package catalog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// What is told of a line is the same for ever, as its run is: how it was judged and why, and every number beside the report. A file for
// each protocol has lines, and below each, indented, what is told of it or why it is refused. Many were made up at random, so that nobody has
// chosen them with what is judged in mind. A line is added by writing it there; -update tells the rest, to be read by a person.
func TestWhatIsToldOfLinesStaysTheSame(t *testing.T) {
	for _, name := range All().Names() {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", "outcomes", name+".golden")
			var all strings.Builder
			for _, line := range linesOf(t, file) {
				fmt.Fprintf(&all, "%s\n\t%s\n", line, strings.Join(told(t, line), "\n\t"))
			}
			requireGolden(t, file, all.String())
		})
	}
}

// linesOf are the lines of a golden file below which something is told.
func linesOf(t *testing.T, file string) (lines []string) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for row := range strings.Lines(string(text)) {
		if !strings.HasPrefix(row, "\t") {
			lines = append(lines, strings.TrimSuffix(row, "\n"))
		}
	}
	return lines
}

// requireGolden fails unless a file has this text.
func requireGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	if string(want) == got {
		return
	}
	before, after := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range min(len(before), len(after)) {
		require.Equal(t, before[i], after[i], "%s:%d; run with -update, and read the difference", file, i+1)
	}
	require.Len(t, after, len(before), "%s; run with -update, and read the difference", file)
}

// told is all that is told of a line, its report aside.
func told(t *testing.T, text string) []string {
	run, err := ParseLine(text)
	var refused *line.InputError
	if errors.As(err, &refused) {
		return prefixed("refused: ", refused.Problems)
	}
	require.NoError(t, err, text)
	outcome, err := run.Execute(t.Context(), scenarios.Options{Trace: emu.TraceEvents})
	require.NoError(t, err, text)
	bare := *outcome.Report
	bare.Events = nil
	return slices.Concat(toldOfExperiment(run), toldOfPromises(outcome.Guarantees, run.Judge(&bare).Guarantees), toldOfResults(outcome))
}

func prefixed(prefix string, all []string) (list []string) {
	for _, text := range all {
		list = append(list, prefix+text)
	}
	return list
}

// toldOfExperiment is what is known before the run.
func toldOfExperiment(run *scenarios.Run) (all []string) {
	e := run.Experiment()
	text := fmt.Sprintf("roots %v, timing %d", e.Roots, e.Timing.Assumes)
	if e.Timing.Untimed {
		text += " untimed"
	}
	if e.Timing.Because != "" {
		text += " as " + e.Timing.Because
	}
	if e.Detection != (emu.Detection{}) {
		text += strings.Replace(fmt.Sprintf(", detection %+v", e.Detection), " Spread:0", "", 1)
	}
	if e.Cuts {
		text += ", cuts"
	}
	if len(e.Chosen) > 0 {
		text += fmt.Sprintf(", chosen %v", e.Chosen)
	}
	return append(prefixed("note: ", run.Notes()), text)
}

// plain are guarantees that are judged elsewhere: that they held is all that is said of them here.
var plain = []guarantee.Guarantee{
	guarantee.NoDeadlock{}, guarantee.Integrity{}, guarantee.OnlyColouredRanksSend{}, guarantee.NoDuplicates{}, guarantee.SentOnce{},
	guarantee.ReachedRanksReturn{}, guarantee.ReachesEveryLiveRank{},
}

func isPlain(name string) bool {
	return slices.ContainsFunc(plain, func(g guarantee.Guarantee) bool { return g.Name() == name })
}

// toldOfPromises are the verdicts, and those that are others where no events are recorded.
func toldOfPromises(traced, bare []guarantee.Verdict) (all []string) {
	var held []string
	for _, v := range traced {
		if v.Value == guarantee.Held && isPlain(v.Name) {
			held = append(held, v.Name)
		} else {
			all = append(all, v.String())
		}
		if i := slices.IndexFunc(bare, func(b guarantee.Verdict) bool { return b.Name == v.Name }); i >= 0 && !reflect.DeepEqual(bare[i], v) {
			all = append(all, "without events "+bare[i].String())
		}
	}
	if held != nil {
		all = append(all, "held: "+strings.Join(held, ", "))
	}
	return all
}

// toldOfResults are the numbers.
func toldOfResults(o *scenarios.Outcome) (all []string) {
	for _, d := range o.Details {
		all = append(all, d.Name+": "+d.Text)
	}
	if len(o.Latencies) > 0 {
		all = append(all, fmt.Sprintf("latencies %v", o.Latencies))
	}
	if o.Completion != (scenarios.Completion{}) {
		all = append(all, fmt.Sprintf("completion %+v", o.Completion))
	}
	if o.Correction != nil {
		all = append(all, fmt.Sprintf("correction %+v", *o.Correction))
	}
	return all
}
