package traceevent

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// onProcesses is a message that took less than a tick.
func onProcesses() Run {
	return Run{Name: "measured", Report: &report.Report{
		LogP: clock.LogP{Ranks: 2, Latency: 2, Overhead: 2}, Ranks: make([]report.RankResult, 2), Processes: true, ClockError: 1500 * time.Nanosecond,
		Events: []report.Event{event(3, 0, report.EventSend), event(3, 1, report.EventReceive), event(4, 1, report.EventNotice)},
	}}
}

// How long real processes take for a send is not recorded, so what they do are instants. A message goes from one to the other in the order of events.
func TestWhatProcessesDoAreInstants(t *testing.T) {
	var all []Act
	Visit(onProcesses(), func(a Act) { all = append(all, a) })
	require.Len(t, all, 3)
	for _, a := range all {
		require.Equal(t, a.Time, a.Start)
		require.Equal(t, a.Time, a.End)
	}
	require.Equal(t, Flight{ID: 1, Start: 3, Resumed: 3}, all[1].Message)
}

// Runs beside each other are processes of their own, and no arrow goes from one to the other.
func TestRunsBesideEachOther(t *testing.T) {
	emulated := onProcesses()
	emulated.Report.Processes, emulated.Name = false, ""
	emulated.Report.Events[1].Time = 9
	var b strings.Builder
	require.NoError(t, Write(&b, onProcesses(), emulated, emulated))
	var read struct {
		OtherData   map[string]string
		TraceEvents []struct {
			Ph, Name string
			Pid, ID  int
			Args     map[string]any
		}
	}
	require.NoError(t, json.Unmarshal([]byte(b.String()), &read))
	require.Equal(t, "differ by up to 1.5us", read.OtherData["clocks"])
	names, arrows := []any{}, map[int][]int{}
	for _, e := range read.TraceEvents {
		if e.Name == "process_name" {
			require.Equal(t, len(names)+1, e.Pid)
			names = append(names, e.Args["name"])
		}
		if e.Ph == "s" || e.Ph == "f" {
			arrows[e.ID] = append(arrows[e.ID], e.Pid)
		}
	}
	require.Equal(t, []any{"measured", "ranks", "ranks"}, names)
	require.Equal(t, map[int][]int{1: {1, 1}, 2: {2, 2}, 3: {3, 3}}, arrows)
}
