package tcp_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain lets more tests run side by side than there are processors: most of them wait for clocks. How
// many can still be said with -parallel.
//
// A program that a test has started as a process which fails for real does that instead.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == mortalRole {
		if err := live(os.Stdin); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	flag.Parse()
	goleak.VerifyTestMain(m)
}
