package command

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// Measuring windows adds one line, which begins as the other one that differs from run to run, and changes nothing else.
func TestWindowsAreMeasured(t *testing.T) {
	const line = "broadcast P=100"
	plain := mangroveWith(t.Context(), catalog.All(), "run", line)
	alone := mangroveWith(t.Context(), catalog.All(), "run", line, "--windows")
	require.Equal(t, statusHeld, alone.status, alone.stderr)
	require.Regexp(t, `\nmeasured: \d+ windows on one process, \S+s each\n$`, alone.stdout)
	require.Equal(t, withoutCost(plain.stdout)+"\n", withoutCost(alone.stdout))

	together := inJob(t, 3, "run", line, "--windows", "--check")
	require.Regexp(t, `\nmeasured: \d+ windows on 3 processes; each of them: work \S+s.*, waiting for others \S+s.*, agreement \S+s.*, exchange \S+s.*, \d+ to \d+ bytes to others\n$`, together[0].stdout)
	for _, r := range together[1:] {
		require.Empty(t, r.stdout+r.stderr)
	}
	unmeasured := inJob(t, 3, "run", line, "--check")
	require.Equal(t, withoutCost(unmeasured[0].stdout)+"\n", withoutCost(together[0].stdout))
}

// What is for programs goes to standard output, and this beside it.
func TestMeasuredWindowsStayOutOfResults(t *testing.T) {
	for _, flag := range []string{"--json", "--trace=-"} {
		r := mangroveWith(t.Context(), catalog.All(), "run", "broadcast P=10", flag, "--windows")
		require.Equal(t, statusHeld, r.status)
		require.Contains(t, r.stderr, "windows on one process", flag)
		require.NotContains(t, r.stdout, "measured", flag)
	}
}

func TestCostsOfProcessesAreShownAsSpans(t *testing.T) {
	var shown bytes.Buffer
	m := meter{group: new(parts.Measured), costs: []parts.Cost{
		{Work: 3 * time.Second, Waiting: time.Millisecond, Exchange: 2 * time.Millisecond, Bytes: 9},
		{Work: 2 * time.Second, Waiting: time.Second, Exchange: 2 * time.Millisecond, Agreement: 1234567, Bytes: 7},
		{Work: 2500 * time.Millisecond, Waiting: time.Second, Exchange: 2 * time.Millisecond, Bytes: 8},
	}}
	require.NoError(t, m.print(&shown, &report.Report{Windows: 1}))
	require.Equal(t, "measured: 1 window on 3 processes; each of them: work 2s to 3s, waiting for others 1ms to 1s, agreement 0s to 1.23ms, exchange 2ms, 7 to 9 bytes to others", strings.TrimSpace(shown.String()))
}
