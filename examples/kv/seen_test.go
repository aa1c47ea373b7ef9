package kv

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/history"
	"github.com/mangrove-emu/mangrove/check/linearizable"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
)

type operation = history.Operation[Request, Answer]

// Any read that returns what was overwritten before it began is found, and shown.
func TestOneStaleReadIsSeen(t *testing.T) {
	h := NewHistory(ranks)
	machine, err := emu.New(emu.Config{LogP: machine, Disk: disk})
	require.NoError(t, err)
	_, err = machine.Run(t.Context(), Program(plan, h), emu.Options{})
	require.NoError(t, err)
	all := h.Operations()
	require.Equal(t, guarantee.Held, linearizable.Check(h, Model).Check(guarantee.Run{}).Value)

	corrupted := 0
	for i, read := range all {
		value, ok := overwritten(all, read)
		if !ok {
			continue
		}
		corrupted++
		all[i].Out.Value = value
		v := linearizable.Check(history.Of(all...), Model).Check(guarantee.Run{})
		all[i] = read
		require.Equal(t, guarantee.Broken, v.Value, "%v returns %s", read, value)
		require.GreaterOrEqual(t, len(v.Marks), 2)
		require.True(t, guilty(v), "%v", v)
	}
	require.Greater(t, corrupted, 5)
}

// overwritten finds a value that was put before another one was, which was there before the read began.
func overwritten(all []operation, read operation) (value string, ok bool) {
	if read.In.Op != Get || read.Pending() {
		return "", false
	}
	puts := func(o operation) bool { return o.In.Op == Put && o.In.Key == read.In.Key }
	for _, old := range all {
		for _, newer := range all {
			if puts(old) && puts(newer) && old.Before(newer) && newer.Before(read) {
				return old.In.Value, true
			}
		}
	}
	return "", false
}

// guilty reports whether a verdict says of one operation that it is wrong.
func guilty(v guarantee.Verdict) bool {
	n := 0
	for _, m := range v.Marks {
		if m.Guilty && m.To < clock.Forever {
			n++
		}
	}
	return n == 1
}
