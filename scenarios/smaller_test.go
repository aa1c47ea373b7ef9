package scenarios

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The simplest come first: what a line need not say, then small numbers, then those below the one that it says. Names have no order.
func TestSimplerValuesOfKeys(t *testing.T) {
	for _, c := range []struct {
		line, key string
		want      []string
	}{
		{"idle P=9", "P", []string{"0", "1", "2", "4", "7", "8"}},
		{"idle P=2", "P", []string{"0", "1"}},
		{"idle g=0", "g", nil},
		{"idle g=1", "g", []string{"0"}},
		{"idle seed=3", "seed", []string{"0", "1", "2"}},
		{"idle L=7", "L", []string{"2", "0", "1", "3", "6"}},
		{"idle L=1", "L", []string{"2", "0"}},
		{"idle receive=many", "receive", []string{"one"}},
		{"idle receive=one", "receive", nil},
	} {
		run, err := idle.ParseLine(c.line)
		require.NoError(t, err)
		for _, key := range run.protocol.AllKeys() {
			if key.Name == c.key {
				require.Equal(t, c.want, smaller(key, run.Settings()), c.line)
			}
		}
	}
}
