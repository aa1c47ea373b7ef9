package emu

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

func TestMemoryIsKnownOnLinux(t *testing.T) {
	bytes, known := availableMemory()
	assert.Equal(t, runtime.GOOS == "linux", known)
	if known {
		assert.Greater(t, bytes, int64(1<<20))
	}
}
