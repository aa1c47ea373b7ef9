package emutest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mangrove-emu/mangrove/internal/wholefile"
)

// keepVariable is the variable of the environment that says whether tests that fail may write files. It is no flag, since flags of a package are
// unknown to the others of a module.
const keepVariable = "MANGROVE_KEEP"

// keeps reports whether they may.
func keeps(t testing.TB) bool {
	t.Helper()
	switch value := os.Getenv(keepVariable); value {
	case "", "on":
		return true
	case "off":
		return false
	default:
		t.Fatalf("%s=%s, want on or off", keepVariable, value)
		return false
	}
}

// place is where a violation is kept, and where its page is. Paths are relative to the folder of the package; empty ones are not there, and then there may be
// a reason.
type place struct {
	file, page     string
	noFile, noPage error
}

// keep writes a violation and its page. What was kept before, and what each run of the test meets in any case, has a page only.
func (s *hunt) keep(ctx context.Context, folder string, by call, v *Violation) (k place) {
	at, name := keptFolder(by), keptName(v.Schedule, v.Seed)
	switch {
	case v.file != "":
		name = filepath.Base(v.file)
	case v.isPlain(s.Seed):
		name = "none"
	}
	fresh := v.file == "" && !v.listed
	if err := makeFolder(folder, at); err != nil {
		if fresh {
			return place{noFile: err}
		}
		return place{noPage: err}
	}
	if fresh {
		name = s.freeName(folder, at, name, v)
		k.file, k.noFile = write(folder, filepath.Join(at, name), func(path string) error {
			return writeOnce(path, textOf(v))
		})
	}
	k.page, k.noPage = write(folder, filepath.Join(at, name+pageExt), func(path string) error {
		return s.pageOf(ctx, path, by, v)
	})
	return k
}

// write returns the path of a file that was written.
func write(folder, path string, by func(path string) error) (string, error) {
	if err := by(filepath.Join(folder, path)); err != nil {
		return "", err
	}
	return path, nil
}

// freeName is a name that no other schedule has: somebody may have written another one into that file.
func (s *hunt) freeName(folder, at, name string, v *Violation) string {
	for free, n := name, 2; ; n++ {
		there, err := readKept(folder, filepath.Join(at, free), &s.Test)
		if err != nil || slices.Equal(there.schedule, v.Schedule) && there.seed == v.Seed {
			return free
		}
		free = fmt.Sprintf("%s-%d", name, n)
	}
}

// writeOnce leaves a file alone that is there: somebody may have remarked something in it.
func writeOnce(path, text string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	return wholefile.Write(path, []byte(text))
}

// lines say where a violation and its page are, and otherwise how to keep it.
func (k *place) lines(v *Violation, seed uint64) (lines []string) {
	if k.file != "" {
		lines = append(lines, fmt.Sprintf("kept in %s: the next go test runs it first", k.file))
	}
	if k.page != "" {
		lines = append(lines, "page: "+k.page)
	}
	if k.noFile != nil {
		lines = append(lines, fmt.Sprintf("not kept: %v", reason(k.noFile)))
	}
	if k.noPage != nil {
		lines = append(lines, fmt.Sprintf("no page: %v", reason(k.noPage)))
	}
	if k.file == "" && v.file == "" && !v.listed {
		lines = append(lines, v.inTest(seed)...)
	}
	return lines
}

// reason is an error without the whole path of a file, of which the last part is enough.
func reason(err error) error {
	var of *os.PathError
	if errors.As(err, &of) {
		return fmt.Errorf("%s: %w", filepath.Base(of.Path), of.Err)
	}
	return err
}
