package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/internal/wholefile"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// checkExport refuses to export what is not there, or to a folder that has something in it.
func (f *runFlags) checkExport(run *scenarios.Run, registry scenarios.Registry) error {
	if f.export == "" {
		return nil
	}
	if run.Experiment().Exports == nil {
		return fmt.Errorf("--export %s: %s has no tables to write, want %s", f.export, run.Protocol().Name, cmp.Or(withExports(registry), "no --export: nor has any other"))
	}
	entries, err := os.ReadDir(f.export)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("--export %s: %w", f.export, err)
	case len(entries) > 0:
		return fmt.Errorf("--export %s: %s is in it, want a new or an empty folder", f.export, entries[0].Name())
	}
	return nil
}

// export writes what a line computes with, if that is asked for. All files are there in the end, or none.
func (a *app) export(ctx context.Context, run *scenarios.Run, folder string) (err error) {
	if folder == "" {
		return nil
	}
	made := false
	if _, err := os.Stat(folder); err != nil {
		made = true
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return fmt.Errorf("--export %s: %w", folder, err)
		}
	}
	var written []string
	for _, file := range run.Experiment().Exports() {
		if err = exportFile(ctx, file, filepath.Join(folder, file.Name)); err != nil {
			break
		}
		written = append(written, file.Name)
	}
	if err == nil {
		fmt.Fprintf(a.stderr, "%s: exported %s to %s\n", a.name, text.List(written), folder)
		return nil
	}
	for _, name := range written { // if that fails, too, the error is what counts
		_ = os.Remove(filepath.Join(folder, name))
	}
	if made {
		_ = os.Remove(folder)
	}
	return orInterrupted(ctx, fmt.Errorf("--export %s: %w", folder, err), "")
}

func exportFile(ctx context.Context, file scenarios.File, path string) error {
	out, err := wholefile.Create(path)
	if err != nil {
		return err
	}
	return out.Finish(file.Write(untilDone{ctx, out}))
}

// untilDone is a writer until the user ends the command.
type untilDone struct {
	ctx context.Context
	io.Writer
}

func (u untilDone) Write(text []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Writer.Write(text)
}

// withExports names the protocols that compute with something that can be written.
func withExports(g scenarios.Registry) string {
	var names []string
	for _, p := range g {
		if run, err := p.ParseLine(p.Name); err == nil && run.Experiment().Exports != nil {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, ", ")
}
