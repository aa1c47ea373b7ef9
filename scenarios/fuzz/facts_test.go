package fuzz

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// scheduled is a line that is about to be run with these faults.
func scheduled(t *testing.T, text, schedule string) *trial {
	t.Helper()
	run, err := catalog.ParseLine(text)
	require.NoError(t, err)
	return &trial{run: run, schedule: faults.MustParse(schedule), unheard: of(run.Protocol().Name).promises.unheard}
}

func TestRanksAreSilentIfTheyFailBeforeTheyCanSend(t *testing.T) {
	for text, silent := range map[string]bool{
		"crash:3":                        true,
		"hang:3":                         true,
		"crash:3@recv1":                  true,
		"crash:3@before-send1":           true,
		"hang:3@send1":                   true,
		"crash:3@step:coloured":          true,
		"crash:3@t40,crash:3@recv1":      true,
		"slow:3x2":                       false,
		"crash:2":                        false,
		"crash:3@t1":                     false,
		"crash:3@after-send1":            false,
		"crash:3@send2":                  false,
		"crash:3@recv2":                  false,
		"crash:3@step:coloured#2":        false,
		"crash:3@step:correction":        false,
		"slow:3x2@recv1,crash:3@send2":   false,
		"crash:3@step:exchanged,hang:2":  false, // no step of a broadcast
		"crash:3@before-send2,slow:3x16": false,
	} {
		run := scheduled(t, "broadcast root=0", text)
		require.Equal(t, silent, run.silent(3), text)
	}
}

// In an all-reduce, what a rank sends in the reduce is no sign of life in the broadcast.
func TestRanksOfAnAllReduceAreSilentUntilTheyAreColoured(t *testing.T) {
	for text, silent := range map[string]bool{
		"crash:3@step:exchanged":  true,
		"crash:3@step:reduced":    true,
		"crash:3@step:coloured":   true,
		"crash:3@step:correction": false,
	} {
		run := scheduled(t, "allreduce root=0", text)
		require.Equal(t, silent, run.silent(3), text)
	}
}

// The root sends before it receives, so only a failure at time 0 is certain to come first.
func TestTheRootIsSilentOnlyIfItIsDownFromTheStart(t *testing.T) {
	for text, silent := range map[string]bool{"crash:3": true, "crash:3@recv1": false, "crash:3@step:coloured": false} {
		run := scheduled(t, "broadcast root=3", text)
		require.Equal(t, silent, run.silent(3), text)
	}
}
