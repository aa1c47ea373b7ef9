package reduce

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// elsewhere is a tree that says that its root is another one.
type elsewhere struct{ tree.Tree }

func (elsewhere) Root() int { return 1 }

func TestTreesHaveTheSizeAndTheRootThatAreWanted(t *testing.T) {
	binomial, err := tree.NewBinomial(8, tree.InOrder)
	require.NoError(t, err)
	s, err := measure(binomial, 8)
	require.NoError(t, err)
	require.Equal(t, shape{height: 3, degree: 3}, s)
	_, err = measure(binomial, 9)
	require.ErrorContains(t, err, "has size 8 and root 0, want size 9 and root 0")
	_, err = measure(elsewhere{binomial}, 8)
	require.ErrorContains(t, err, "has size 8 and root 1, want size 8 and root 0")
	_, err = measure(nil, 8)
	require.ErrorContains(t, err, "no tree")
}
