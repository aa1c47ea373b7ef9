package emu_test

import (
	"testing"

	"go.uber.org/goleak"
)

// Whatever the end of a run, no goroutine is left.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
