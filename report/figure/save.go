package figure

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Save writes a drawing to a file whose ending, .svg or .png, says the format. Whoever reads the
// file sees all of the old or all of the new drawing; after an error it is the old one.
func Save(name string, drawing interface{ Write(io.Writer, string) error }) error {
	format, err := Format(name)
	if err != nil {
		return err
	}
	beside := filepath.Join(filepath.Dir(name), fmt.Sprintf(".figure-%016x.tmp", rand.Uint64()))
	file, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	err = errors.Join(drawing.Write(file, format), file.Close())
	if err == nil {
		err = os.Rename(beside, name)
	}
	if err != nil {
		_ = os.Remove(beside)
	}
	return err
}

// Format is the format of a file by its ending, .svg or .png.
func Format(name string) (string, error) {
	switch ending := filepath.Ext(name); strings.ToLower(ending) {
	case ".svg":
		return "svg", nil
	case ".png":
		return "png", nil
	default:
		return "", fmt.Errorf("figure: %q ends with %q, want .svg or .png", name, ending)
	}
}
