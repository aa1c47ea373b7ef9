package main

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mangrove-emu/mangrove/search"
)

func TestBarShowsRateAndTimeLeft(t *testing.T) {
	p := search.Progress{Runs: 12345, Violations: 1, Done: 0.2, Elapsed: 2 * time.Second}
	assert.Equal(t, "[######........................]  20 %  12345 runs, 6172/s, 1 violations, 8s left", barText(p))
}

func TestBarIsForTerminals(t *testing.T) {
	var b bytes.Buffer
	bar := newBar(&b)
	bar.show(search.Progress{Done: 0.5})
	bar.clear()
	assert.Empty(t, b.String())
	bar = newTerminalBar(&b)
	bar.show(search.Progress{Done: 0.5})
	bar.show(search.Progress{Done: 0.6}) // too soon
	bar.clear()
	assert.Equal(t, "\r"+barText(search.Progress{Done: 0.5})+"\x1b[K\r\x1b[K", b.String())
}

func TestInterruptedExplorationKeepsItsState(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	state := filepath.Join(t.TempDir(), "state.json")
	time.AfterFunc(100*time.Millisecond, cancel)
	got := mangroveWith(ctx, testProtocols(), "explore", "broadcast", "P=24", "faults<=3", "--state", state)
	assert.Equal(t, 130, got.status)
	assert.Contains(t, got.stderr, "interrupted, the same command goes on from here")
	assert.FileExists(t, state)
}
