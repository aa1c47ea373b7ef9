package emutest_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// Tests in here fail by design, all the time. Only those about what is kept keep it, elsewhere.
func TestMain(m *testing.M) {
	if err := os.Setenv("MANGROVE_KEEP", "off"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}
