package report_test

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// A rank that came back is not among Failed, but it had failed.
func ExampleReport_NobodyFailed() {
	rep := report.Report{
		Faults:   faults.MustParse("crash:1@t20,rejoin:1@t90"),
		Rejoined: []report.Rejoin{{Rank: 1, Time: 90}},
	}
	fmt.Println(len(rep.Failed), rep.NobodyFailed())
	// Output:
	// 0 false
}

// In a run with a cut nobody fails, but ranks may well have a reason to give up.
func ExampleReport_Calm() {
	rep := report.Report{Faults: faults.MustParse("cut:0|1@t5")}
	fmt.Println(rep.NobodyFailed(), rep.Calm())
	// Output:
	// true false
}
