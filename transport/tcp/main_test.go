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
// A program that a test has started as a process of a job does what that has to do instead.
func TestMain(m *testing.M) {
	roles := map[string]func() error{
		mortalRole:   func() error { return live(os.Stdin) },
		exchangeRole: func() error { return takePart(os.Stdin, os.Stdout) },
	}
	if len(os.Args) > 1 && roles[os.Args[1]] != nil {
		if err := roles[os.Args[1]](); err != nil {
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
