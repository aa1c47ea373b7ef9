package splitmix

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The first numbers of the authors' own generator with seed 1234567.
func TestNumbersAreThoseOfTheGenerator(t *testing.T) {
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		require.Equal(t, want, At(1234567, uint64(i+1)), "number %d", i+1)
	}
	require.Zero(t, Scramble(0))
}
