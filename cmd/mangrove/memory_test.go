package main

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWhatDoesNotFitIntoMemoryIsRefused(t *testing.T) {
	gigabyte := func() (int64, bool) { return 1e9, true }
	unknown := func() (int64, bool) { return 0, false }
	assert.NoError(t, checkMemory(300_000, 1, gigabyte))
	assert.EqualError(t, checkMemory(1<<24, 1, gigabyte), "not enough memory for P=16777216: about 55.4 GB, and there are 1.0 GB; want P=303030 or less")
	assert.EqualError(t, checkMemory(300_000, 5, gigabyte), "not enough memory for P=300000: about 5.0 GB, and there are 1.0 GB; want P=60606 or less")
	assert.NoError(t, checkMemory(1<<24, 1, unknown))
}

func TestSearchesAreRefusedThatDoNotFitIntoMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		return // nobody knows how much memory there is
	}
	for _, command := range [][]string{{"explore", "broadcast"}, {"fuzz", "gossip", "--runs", "1"}, {"shrink", "big", "faults=crash:1"}} {
		got := mangrove(append(command, "P=16777216")...)
		assert.Equal(t, statusInput, got.status, command)
		assert.Contains(t, got.stderr, "not enough memory for P=16777216", command)
	}
}

func TestMemoryIsKnownOnLinux(t *testing.T) {
	bytes, known := availableMemory()
	assert.Equal(t, runtime.GOOS == "linux", known)
	if known {
		assert.Greater(t, bytes, int64(1<<20))
	}
}
