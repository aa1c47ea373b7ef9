package figure

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// halfway writes something and fails.
type halfway struct{}

func (halfway) Write(w io.Writer, format string) error {
	_, _ = io.WriteString(w, format)
	return errors.New("out of ink")
}

func TestSaveKnowsTheFormatByTheEnding(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct{ name, begins string }{{"a.svg", "<?xml"}, {"b.png", "\x89PNG"}, {"c.SVG", "<?xml"}} {
		name := filepath.Join(folder, c.name)
		require.NoError(t, Save(name, gallery()["one"]))
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, c.begins, string(text[:len(c.begins)]))
	}
	assert.EqualError(t, Save("x.pdf", gallery()["one"]), `figure: "x.pdf" ends with ".pdf", want .svg or .png`)
	assert.Error(t, Save(filepath.Join(folder, "none", "a.svg"), gallery()["one"]))
}

func TestSaveLeavesTheOldFileAloneOnError(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "old.svg")
	require.NoError(t, os.WriteFile(name, []byte("old"), 0o644))
	require.ErrorContains(t, Save(name, halfway{}), "out of ink")
	require.Error(t, Save(name, Figure{}))
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "old", string(text))
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	assert.Len(t, files, 1, "nothing is left over")
	require.NoError(t, Save(name, gallery()["one"]))
	files, err = os.ReadDir(folder)
	require.NoError(t, err)
	assert.Len(t, files, 1)
}
