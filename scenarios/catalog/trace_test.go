package catalog

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
)

var update = flag.Bool("update", false, "write the golden traces anew; then read the difference")

// testdata/traces holds small runs that are worth reading: what to notice, the line, and
// after four dashes what happens.
func TestGoldenTraces(t *testing.T) {
	files, err := filepath.Glob("testdata/traces/*.trace")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".trace"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			head, want, ok := strings.Cut(string(text), "----\n")
			require.True(t, ok, "no line of four dashes")
			got := story(t, lastLine(head))
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(head+"----\n"+got), 0o644))
				return
			}
			require.Equal(t, want, got)
		})
	}
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// story runs a line and tells what happens, in the order of time.
func story(t *testing.T, line string) string {
	run, err := ParseLine(line)
	require.NoError(t, err)
	outcome, err := run.Execute(context.Background(), scenarios.Options{Trace: emu.TraceEvents})
	require.NoError(t, err)
	var b strings.Builder
	name := run.Experiment().Program.KindName
	for _, e := range outcome.Report.Events {
		if text := sentence(e, name(e.Msg)); text != "" {
			fmt.Fprintf(&b, "t=%-3d %s\n", e.Time, text)
		}
	}
	fmt.Fprintf(&b, "%v\n", costOf(outcome.Report))
	return b.String()
}

// sentence tells one event; "" if it follows from others.
func sentence(e report.Event, kind string) string {
	switch e.Kind {
	case report.EventSend:
		return fmt.Sprintf("%d sends %s to %d", e.Rank, kind, e.Peer)
	case report.EventReceive:
		return fmt.Sprintf("%d has received %s from %d", e.Rank, kind, e.Peer)
	case report.EventLost:
		return fmt.Sprintf("%s from %d to %d is lost", kind, e.Peer, e.Rank)
	case report.EventCrash:
		return fmt.Sprintf("%d crashes", e.Rank)
	case report.EventRejoin:
		return fmt.Sprintf("%d begins again", e.Rank)
	case report.EventCut:
		return fmt.Sprintf("%s from %d to %d is lost on a cut link", kind, e.Rank, e.Peer)
	}
	return ""
}
