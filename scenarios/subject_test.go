package scenarios

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/search"
)

func explore(t *testing.T, line string, options search.ExploreOptions) *search.Exploration {
	t.Helper()
	run, err := ParseLine(line)
	require.NoError(t, err)
	found, err := search.Explore(t.Context(), run.Subject(), options)
	require.NoError(t, err)
	require.True(t, found.Complete())
	return found
}

func TestZ(t *testing.T) {
	x := explore(t, "broadcast correction=none P=8", search.ExploreOptions{Faults: 1})
	t.Log(x.Covered, x.Runs, x.Distinct, x.Violations)
	x = explore(t, "broadcast P=8", search.ExploreOptions{Faults: 2})
	t.Log(x.Covered, x.Runs, x.Distinct, x.Violations)
	x = explore(t, "broadcast P=8", search.ExploreOptions{Faults: 1, Every: true})
	t.Log(x.Covered, x.Runs, x.Distinct, x.Violations)
	x = explore(t, "broadcast P=16 numbering=in-order", search.ExploreOptions{Faults: 2})
	t.Log(x.Covered, x.Runs, x.Distinct, x.Violations)
}
