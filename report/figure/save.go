package figure

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/mangrove-emu/mangrove/internal/wholefile"
)

// Save writes a drawing to a file whose ending, .svg or .png, says the format. Whoever reads the
// file sees all of the old or all of the new drawing; after an error it is the old one.
func Save(name string, drawing interface{ Write(io.Writer, string) error }) error {
	format, err := Format(name)
	if err != nil {
		return err
	}
	file, err := wholefile.Create(name)
	if err != nil {
		return err
	}
	return file.Finish(drawing.Write(file, format))
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
