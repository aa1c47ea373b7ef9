package command

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProfilesAreWrittenToTheCurrentDirectory(t *testing.T) {
	t.Chdir(t.TempDir())
	for kind, file := range map[string]string{"cpu": "cpu.pprof", "mem": "mem.pprof", "trace": "trace.out"} {
		got := mangrove("run", "broadcast", "P=64", "--profile", kind)
		require.Equal(t, 0, got.status, got.stderr)
		assert.Equal(t, "mangrove: profile in "+file+"\n", got.stderr)
		info, err := os.Stat(file)
		require.NoError(t, err)
		assert.NotZero(t, info.Size(), file)
	}
	require.NoError(t, os.Remove("mem.pprof"))
	require.NoError(t, os.Mkdir("mem.pprof", 0o777))
	got := mangrove("run", "broadcast", "P=64", "--profile", "mem")
	assert.Equal(t, 2, got.status)
	assert.Contains(t, got.stderr, "cannot write the profile")
}
