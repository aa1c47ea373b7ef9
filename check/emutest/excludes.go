package emutest

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/text"
)

// excludes says what of a schedule the test never does, whatever it searches; nil if there is nothing. What the test itself finds it does
// not exclude.
func (test Test) excludes(schedule faults.Schedule) error {
	test = test.withDefaults()
	failures := 0
	for _, f := range schedule {
		if slices.Contains(test.Given, f) {
			continue
		}
		if !test.does(f.Kind) {
			return fmt.Errorf("%v: the test excludes %s", f, excluded[f.Kind])
		}
		if !f.Kind.Stops() {
			continue
		}
		if failures++; slices.Contains(test.Spare, f.Rank) {
			return fmt.Errorf("%v: the test spares rank %d", f, f.Rank)
		}
	}
	if most := max(test.Faults, test.RandomFaults); failures > most {
		return fmt.Errorf("%s, and the test has up to %d", text.Count(failures, "failure"), most)
	}
	return nil
}

// does reports whether a test has faults of a kind anywhere.
func (test *Test) does(kind faults.Kind) bool {
	switch has := func(k faults.Kind) bool { return slices.Contains(test.Kinds, k) }; {
	case kind.Stops(): // a crash may stand for a hang: it is simpler
		return len(stopping(test.Kinds)) > 0
	case kind == faults.Late:
		return test.varies() || has(kind)
	case kind == faults.Rejoin:
		return len(test.Rejoins) > 0 || has(kind)
	case kind == faults.Cut:
		return len(test.Cuts) > 0 || has(kind)
	default:
		return has(kind)
	}
}

// excluded is what a test excludes that has no faults of a kind.
var excluded = [...]string{
	faults.Crash: "crashes and hangs", faults.Hang: "crashes and hangs", faults.Slow: "slow ranks", faults.Rejoin: "ranks that come back",
	faults.Cut: "cut links", faults.Mend: "links that are mended", faults.Late: "late messages", faults.Lose: "lost messages", faults.Twice: "messages that arrive twice",
}
