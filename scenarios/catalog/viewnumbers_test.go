package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// A rank that has left, come back and left again is no member, as if it had left once; but the views in which
// it has done so are not the same.
func TestEqualMembersInViewsOfDifferentNumbersAreNoAgreement(t *testing.T) {
	once, again := without(4), membership.Changes("").With(4, 3)
	for name, test := range map[string]struct {
		differs []int // ranks that hold the later view
		broken  map[string]string
	}{
		"nobody":    {nil, map[string]string{}},
		"the first": {[]int{0}, map[string]string{agree: "ranks 0 and 1 have the same members in different views"}},
		"the last":  {[]int{6}, map[string]string{agree: "ranks 0 and 6 have the same members in different views"}},
		"half":      {[]int{2, 3, 5}, map[string]string{agree: "ranks 0 and 2 have the same members in different views"}},
		"all":       {[]int{0, 1, 2, 3, 5, 6}, map[string]string{}},
	} {
		s, rep := serve(t, nil, "crash:4@t10")
		require.Equal(t, once, s.Records()[0].View)
		for _, rank := range test.differs {
			s.Records()[rank].View = again
		}
		require.Equal(t, test.broken, brokenViews(s, rep), name)
	}
}
