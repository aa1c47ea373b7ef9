package wholefile_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/wholefile"
)

// requireOnly makes sure that a folder has these files with these texts and nothing else.
func requireOnly(t *testing.T, folder string, texts map[string]string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	found := make(map[string]string)
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(folder, file.Name()))
		require.NoError(t, err)
		found[file.Name()] = string(text)
	}
	require.Equal(t, texts, found)
}

func TestAFileHasItsNameOnceItIsComplete(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a")
	require.NoError(t, wholefile.Write(path, []byte("old")))
	file, err := wholefile.Create(path)
	require.NoError(t, err)
	_, err = file.WriteString("new")
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "old", string(text))
	require.NoError(t, file.Finish(nil))
	file.Abandon()
	requireOnly(t, folder, map[string]string{"a": "new"})
}

func TestWhatFailsLeavesTheOldFileAlone(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a")
	require.NoError(t, wholefile.Write(path, []byte("old")))
	file, err := wholefile.Create(path)
	require.NoError(t, err)
	_, err = file.WriteString("half")
	require.NoError(t, err)
	ink := errors.New("out of ink")
	require.Equal(t, ink, file.Finish(ink))
	file, err = wholefile.Create(path)
	require.NoError(t, err)
	file.Abandon()
	file.Abandon()
	where, err := wholefile.Check(path)
	require.NoError(t, err)
	require.Equal(t, "a", filepath.Base(where))
	requireOnly(t, folder, map[string]string{"a": "old"})
}

func TestPermissionsStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	for _, mode := range []os.FileMode{0o600, 0o666} {
		require.NoError(t, os.Chmod(path, mode))
		require.NoError(t, wholefile.Write(path, []byte("new")))
		info, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, mode, info.Mode().Perm())
	}
}

func TestLinksStay(t *testing.T) {
	folder := t.TempDir()
	target, link := filepath.Join(folder, "target"), filepath.Join(folder, "link")
	require.NoError(t, os.WriteFile(target, []byte("old"), 0o666))
	require.NoError(t, os.Symlink(target, link))
	require.NoError(t, wholefile.Write(link, []byte("new")))
	requireOnly(t, folder, map[string]string{"target": "new", "link": "new"})
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink)
	where, err := wholefile.Check(link)
	require.NoError(t, err)
	assert.Equal(t, "target", filepath.Base(where))
}

func TestDevicesAreWrittenTo(t *testing.T) {
	require.NoError(t, wholefile.Write(os.DevNull, []byte("text")))
	info, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	assert.False(t, info.Mode().IsRegular())
}

func TestWhatCannotBeWrittenIsKnownBefore(t *testing.T) {
	folder := t.TempDir()
	_, err := wholefile.Check(folder)
	require.EqualError(t, err, "it is a directory")
	_, err = wholefile.Check(filepath.Join(folder, "none", "a"))
	require.ErrorIs(t, err, os.ErrNotExist)
	requireOnly(t, folder, map[string]string{})
}

// What has no end is not read.
func TestDevicesAreNotRead(t *testing.T) {
	for _, path := range []string{os.DevNull, "/dev/zero"} {
		if info, err := os.Stat(path); err != nil || info.Mode()&os.ModeDevice == 0 {
			continue // on other systems
		}
		_, err := wholefile.Read(path)
		require.EqualError(t, err, "read "+path+": is a device, want a file")
	}
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("text"), 0o666))
	text, err := wholefile.Read(path)
	require.NoError(t, err)
	require.Equal(t, "text", string(text))
	_, err = wholefile.Read(path + " that is not there")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestAFolderThatIsNotThereIsNamed(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "away")
	_, err := wholefile.Create(filepath.Join(folder, "a"))
	require.ErrorIs(t, err, os.ErrNotExist)
	require.Contains(t, err.Error(), "open "+folder+": ")
}
