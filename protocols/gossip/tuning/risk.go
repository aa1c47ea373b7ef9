package tuning

import (
	"math"

	"github.com/mangrove-emu/mangrove/internal/problems"
)

// PerRun is the greatest chance of failure that each of so many broadcasts may have, for
// the chance that any of them fails to be at most overall: the delta that goes with the
// paper's psi and m, 1-(1-psi)^(1/m), without loss of precision for small ones.
func PerRun(overall float64, runs int) (delta float64, err error) {
	var bad problems.List
	checkChance(&bad, "overall chance", overall)
	problems.Range(&bad, "runs", runs, 1, math.MaxInt, "")
	if err := bad.Err("tuning"); err != nil {
		return 0, err
	}
	return -math.Expm1(math.Log1p(-overall) / float64(runs)), nil
}
