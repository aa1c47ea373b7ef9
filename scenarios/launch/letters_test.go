package launch

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/parts"
)

// The first members of a group agree without the others, however far some are ahead, and letters for something else stay where they are.
func TestAFewAgreeWithoutTheOthers(t *testing.T) {
	const rounds = 200
	errs := parts.Together(t.Context(), 5, func(mail parts.Mail) error {
		if mail.Index() > 2 {
			return nil
		}
		g := few{newLetters(mail), 3}
		if g.Index() == 0 {
			for process := 1; process < 3; process++ {
				if err := g.Send(process, []byte("first")); err != nil {
					return err
				}
			}
		} else if text, err := g.from(0); err != nil || string(text) != "first" {
			return fmt.Errorf("%q, %w", text, err)
		}
		out := make([][]byte, g.Count())
		for round := range rounds {
			for i := range out {
				out[i] = fmt.Appendf(out[i][:0], "%d to %d in round %d", g.Index(), i, round)
			}
			in, err := g.Exchange(out)
			if err != nil {
				return err
			}
			for i := range out {
				clear(out[i])
				if want := fmt.Sprintf("%d to %d in round %d", i, g.Index(), round); string(in[i]) != want {
					return fmt.Errorf("%q, want %q", in[i], want)
				}
			}
			least, err := g.Min(clock.Time((g.Index()+round)%3 + round - 50))
			if err != nil || least != clock.Time(round-50) {
				return fmt.Errorf("the smallest in round %d is %d, %w", round, least, err)
			}
		}
		return nil
	})
	require.Equal(t, make([]error, 5), errs)
}
