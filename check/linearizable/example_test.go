package linearizable_test

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/history"
	"github.com/mangrove-emu/mangrove/check/linearizable"
)

// Rank 1 reads the old value of a register after the write of a new one has returned. Programs record such operations with Invoke and Return; in a test
// of package emutest the guarantee is one of those of an Instance, and Prepare is h.Reset.
func ExampleCheck() {
	type value = int
	register := history.Model[value, *value, value]{
		Step: func(state value, written, out *value) (next value, ok bool) {
			if written != nil {
				return *written, true
			}
			return state, out == nil || *out == state
		},
		Describe: func(written, out *value) string {
			if written != nil {
				return fmt.Sprintf("write %d", *written)
			}
			return fmt.Sprintf("read %d", *out)
		},
	}
	one := 1
	h := history.Of(
		history.Operation[*value, value]{Rank: 0, Invoked: 20, Returned: 30, In: &one},
		history.Operation[*value, value]{Rank: 1, Invoked: 25, Returned: 28, Out: 0},
		history.Operation[*value, value]{Rank: 1, Invoked: 40, Returned: 44, Out: 0},
	)
	verdict := linearizable.Check(h, register).Check(guarantee.Run{})
	fmt.Println(verdict)
	for _, m := range verdict.Marks {
		fmt.Printf("rank %d, t=%d..%d: %s, guilty: %t\n", m.Rank, m.From, m.To, m.Text, m.Guilty)
	}
	// Output:
	// broken: linearizable: rank 1: read 0 at t=40..44 fits nowhere beside rank 0: write 1 at t=20..30
	// rank 0, t=20..30: write 1, guilty: false
	// rank 1, t=40..44: read 0, guilty: true
}
