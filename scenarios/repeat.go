package scenarios

import (
	"context"
	"fmt"
	"runtime"

	"github.com/mangrove-emu/mangrove/internal/text"
)

// Repeat runs the line once more, with another number of workers than the first time. The same must happen; the
// error says if it does not. It returns both numbers of workers.
func (r *Run) Repeat(ctx context.Context, outcome *Outcome, opts Options) (first, second int, err error) {
	if first = opts.Workers; first == 0 {
		first = runtime.GOMAXPROCS(0)
	}
	if second = 1; first == 1 {
		second = 3
	}
	opts.Workers = second
	again, err := r.Execute(ctx, opts)
	if err != nil {
		return first, second, err
	}
	if again.Report.Hash != outcome.Report.Hash {
		err = fmt.Errorf("the run does not repeat: hash %v with %s, and %v with %s",
			outcome.Report.Hash, text.Count(first, "worker"), again.Report.Hash, text.Count(second, "worker"))
	}
	return first, second, err
}
