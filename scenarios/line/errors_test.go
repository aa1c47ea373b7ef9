package line

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatIsWrongWithALineCanBeTakenApart(t *testing.T) {
	require.NoError(t, Refuse())
	err := fmt.Errorf("line 3: %w", Refuse(errors.New(`"P=0": want more`), errors.New("no tree")))
	require.EqualError(t, err, `line 3: scenarios: "P=0": want more; no tree`)

	var input *InputError
	require.ErrorAs(t, err, &input)
	require.Equal(t, []string{`"P=0": want more`, "no tree"}, input.Problems)
	var listed interface{ Unwrap() []error }
	require.ErrorAs(t, err, &listed)
	require.Len(t, listed.Unwrap(), 2)
	require.EqualError(t, listed.Unwrap()[1], "no tree")
}
