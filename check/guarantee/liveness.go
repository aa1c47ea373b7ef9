package guarantee

import "fmt"

// NonfaultyLiveness holds if a message of live roots reaches at least level(n) of the n live
// ranks: guarantee III (Corrected Gossip, section II; Corrected Trees, section 2.1). If a
// root failed, at whatever time, it promises nothing.
//
// What is checked: the number of live ranks that are coloured, roots included.
func NonfaultyLiveness(level Level) Guarantee {
	return nonfaulty{"nonfaulty liveness (" + level.Name + ")", level}
}

// FaultyLiveness holds if a message of a root that failed, at whatever time, reaches at
// least level(n) of the n live ranks or none: guarantee IV (Corrected Gossip, section II;
// Corrected Trees, section 2.1). If no root failed it promises nothing.
//
// What is checked: the number of live ranks that are coloured, live roots included.
func FaultyLiveness(level Level) Guarantee {
	return faulty{"faulty liveness (" + level.Name + ")", level}
}

type nonfaulty struct {
	name  string
	level Level
}

// Name says the level, too.
func (g nonfaulty) Name() string { return g.name }

// NeedsEvents is false.
func (nonfaulty) NeedsEvents() bool { return false }

// Check counts the live ranks that were reached.
func (g nonfaulty) Check(run Run) Verdict {
	if root, failed := run.FailedRoot(); failed {
		return notClaimed(g.name, "root failed ("+root.String()+")")
	}
	reached, live := run.reached()
	wanted := g.level.Of(live)
	evidence := fmt.Sprintf("%d of %d live ranks reached, at least %d promised", reached, live, wanted)
	if reached < wanted {
		return Verdict{Name: g.name, Evidence: evidence + "; " + ListRanks(run.Report.Unreached) + " never"}
	}
	return Verdict{Name: g.name, Held: true, Evidence: evidence}
}

type faulty struct {
	name  string
	level Level
}

// Name says the level, too.
func (g faulty) Name() string { return g.name }

// NeedsEvents is false.
func (faulty) NeedsEvents() bool { return false }

// Check counts the live ranks that were reached.
func (g faulty) Check(run Run) Verdict {
	root, failed := run.FailedRoot()
	if !failed {
		return notClaimed(g.name, "no root failed")
	}
	reached, live := run.reached()
	wanted := g.level.Of(live)
	evidence := fmt.Sprintf("root failed (%s), %d of %d live ranks reached, none or at least %d promised", root, reached, live, wanted)
	if reached > 0 && reached < wanted {
		return Verdict{Name: g.name, Evidence: evidence + "; " + ListRanks(run.Report.Unreached) + " never"}
	}
	return Verdict{Name: g.name, Held: true, Evidence: evidence}
}
