package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// bench is where tests are compiled and run: a copy of the module, since tests that fail may leave files behind.
type bench struct {
	root    string // of the module
	copied  string // the same files, elsewhere
	scratch string // for what is compiled
}

// newBench copies the module, but for what begins with a dot.
func newBench(root string) (*bench, error) {
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	b := &bench{root: root, copied: filepath.Join(scratch, "module"), scratch: scratch}
	copying := exec.Command("sh", "-c", `mkdir "$1" && cp -R ./* "$1"`, "sh", b.copied)
	copying.Dir = root
	if output, err := copying.CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("copying the module: %w: %s", err, output), b.remove())
	}
	return b, nil
}

func (b *bench) remove() error { return os.RemoveAll(b.scratch) }

// compile makes the test program of a package, with a mistake somewhere in the module; with none if m is nil. Empty is
// the program of a package without tests.
func (b *bench) compile(dir string, m *mutant) (program string, err error) {
	place, err := os.MkdirTemp(b.scratch, "program")
	if err != nil {
		return "", err
	}
	program = filepath.Join(place, "test")
	args := []string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", program} // nobody debugs it, and it is linked sooner
	if m != nil {
		overlay, err := b.overlay(place, *m)
		if err != nil {
			return "", err
		}
		args = append(args, "-overlay", overlay)
	}
	command := exec.Command("go", append(args, "./"+dir)...)
	command.Dir = b.root
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("compiling the tests of %s: %w\n%s", dir, err, output)
	}
	if _, err := os.Stat(program); errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	return program, nil
}

// overlay writes the file with the mistake, and a file that tells the compiler to take it.
func (b *bench) overlay(place string, m mutant) (string, error) {
	changed := filepath.Join(place, "changed.go")
	if err := os.WriteFile(changed, m.mutated(), 0o600); err != nil {
		return "", err
	}
	original := filepath.Join(b.root, filepath.FromSlash(m.file))
	text, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(place, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o600)
}

// memory is how much of it a test program may reserve, in KiB, which is more than what any uses.
const memory = "8388608"

// grace is how long a test program has to say that its time is over.
const grace = 10 * time.Second

// run runs a test program until its first failure, in the copy of its package, and says how it ended.
func (b *bench) run(program, dir string, limit time.Duration, short bool) ending {
	end, _ := b.runShowing(program, dir, limit, short)
	return end
}

// runShowing also returns what was printed.
func (b *bench) runShowing(program, dir string, limit time.Duration, short bool) (ending, string) {
	ctx, cancel := context.WithTimeout(context.Background(), limit+grace)
	defer cancel()
	command := exec.CommandContext(ctx, "sh", "-c", `ulimit -v `+memory+`; exec "$@"`, "sh", program,
		"-test.failfast", fmt.Sprintf("-test.short=%t", short), "-test.timeout", limit.String())
	command.Dir = filepath.Join(b.copied, filepath.FromSlash(dir))
	command.Env = append(os.Environ(), "MANGROVE_KEEP=off") // what one mistake breaks must not be tried with the next
	command.WaitDelay = grace
	output, err := command.CombinedOutput()
	switch {
	case err == nil:
		return passed, string(output)
	case ctx.Err() != nil || strings.Contains(string(output), "panic: test timed out"):
		return hung, string(output)
	}
	return failed, fmt.Sprintf("%s%v", output, err)
}

// ending is how tests end.
type ending int

// The endings.
const (
	passed ending = iota
	failed
	hung // or longer than they should
)
