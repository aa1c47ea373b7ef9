package launch_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/launch"
)

func TestAKeyIsReadByItsOwnerOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "job.key")
	require.NoError(t, launch.MakeKey(path))
	require.ErrorIs(t, launch.MakeKey(path), fs.ErrExist, "a key is good for one run")
	job, err := launch.ReadKey(path)
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, job.Key()+"\n", string(text))
	require.NoError(t, os.Chmod(path, 0o640))
	_, err = launch.ReadKey(path)
	require.EqualError(t, err, "others can read it (mode 640), want 600")
	_, err = launch.ReadKey(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	folder := t.TempDir()
	require.NoError(t, os.Chmod(folder, 0o700))
	_, err = launch.ReadKey(folder)
	var unread *fs.PathError
	require.ErrorAs(t, err, &unread, "it is the file that is wrong, not the key")
	require.NoError(t, os.Chmod(path, 0o600))
	require.NoError(t, os.WriteFile(path, []byte("not a key"), 0o600))
	_, err = launch.ReadKey(path)
	require.Error(t, err)
}
