package guarantee

import "fmt"

// NonfaultyLiveness holds if a message of live roots reaches at least level(n) of the n live
// ranks: guarantee III (Corrected Gossip, section II; Corrected Trees, section 2.1). If a
// root failed, at whatever time, it promises nothing.
//
// What is checked: the number of live ranks that are coloured, roots included.
func NonfaultyLiveness(level Level) Guarantee {
	return When(RootsLive, Func("nonfaulty liveness ("+level.Name+")", false, func(run Run) (held bool, evidence string) {
		reached, live := run.reached()
		wanted := level.Of(live)
		evidence = fmt.Sprintf("%d of %d live ranks reached, at least %d promised", reached, live, wanted)
		return run.enough(reached >= wanted, evidence)
	}))
}

// FaultyLiveness holds if a message of a root that failed, at whatever time, reaches at
// least level(n) of the n live ranks or none: guarantee IV (Corrected Gossip, section II;
// Corrected Trees, section 2.1). If no root failed it promises nothing.
//
// What is checked: the number of live ranks that are coloured, live roots included.
func FaultyLiveness(level Level) Guarantee {
	return When(aRootFailed, Func("faulty liveness ("+level.Name+")", false, func(run Run) (held bool, evidence string) {
		root, _ := run.FailedRoot()
		reached, live := run.reached()
		wanted := level.Of(live)
		evidence = fmt.Sprintf("root failed (%s), %d of %d live ranks reached, none or at least %d promised", root, reached, live, wanted)
		return run.enough(reached == 0 || reached >= wanted, evidence)
	}))
}

// aRootFailed is met if [RootsLive] is not.
var aRootFailed = Premise{"a root fails", func(run Run) string {
	if _, failed := run.FailedRoot(); !failed {
		return "all of them live"
	}
	return ""
}}

// enough adds who was never reached to the evidence if that were not enough ranks.
func (run Run) enough(held bool, evidence string) (bool, string) {
	if !held {
		evidence += "; " + listFound(run.Report.Missed()) + " never"
	}
	return held, evidence
}
