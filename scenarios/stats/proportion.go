package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Proportion is how often something happened.
type Proportion struct {
	Hits, Runs int
}

// Add counts another run.
func (p *Proportion) Add(hit bool) {
	p.Runs++
	if hit {
		p.Hits++
	}
}

// Complement is how often it did not happen.
func (p Proportion) Complement() Proportion { return Proportion{p.Runs - p.Hits, p.Runs} }

// Rate is the share of hits; NaN if there were no runs.
func (p Proportion) Rate() float64 { return float64(p.Hits) / float64(p.Runs) }

// Wilson is an interval around the true rate, by Wilson's score: close to the level on the average,
// also for rates near 0 and 1.
func (p Proportion) Wilson(level float64) (low, high float64) {
	p.check(level)
	if p.Runs == 0 {
		return 0, 1
	}
	n, rate := float64(p.Runs), p.Rate()
	z := mathext.NormalQuantile((1 + level) / 2)
	centre := (rate + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(rate*(1-rate)/n+z*z/(4*n*n))
	return max(0, centre-half), min(1, centre+half)
}

// ClopperPearson is an interval that has the true rate in it at least as often as the level says.
func (p Proportion) ClopperPearson(level float64) (low, high float64) {
	p.check(level)
	tail := (1 - level) / 2
	hits, misses := float64(p.Hits), float64(p.Runs-p.Hits)
	low, high = 0, 1
	if p.Hits > 0 {
		low = mathext.InvRegIncBeta(hits, misses+1, tail)
	}
	if p.Hits < p.Runs {
		high = mathext.InvRegIncBeta(hits+1, misses, 1-tail)
	}
	return low, high
}

func (p Proportion) check(level float64) {
	checkLevel(level)
	if p.Hits < 0 || p.Hits > p.Runs {
		panic(fmt.Sprintf("stats: %d of %d runs, want 0 to %d", p.Hits, p.Runs, p.Runs))
	}
}
