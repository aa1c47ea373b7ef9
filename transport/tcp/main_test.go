package tcp_test

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

// TestMain lets more tests run side by side than there are processors: most of them wait for clocks. How
// many can still be said with -parallel.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	flag.Parse()
	goleak.VerifyTestMain(m)
}
