package guide

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Reader is somebody who follows a document.
type Reader struct {
	Root   string // of this module, which stands for the one that is published
	Folder string // of the reader
	// Commands say what the commands begin with that are run.
	Commands []string

	program string // the last one that was shown, which changes are about if there are several places for them
}

const published = "github.com/mangrove-emu/mangrove"

// Do does what a block asks for. What was run is nil if that is nothing.
func (r *Reader) Do(ctx context.Context, b Block) (said *Said, err error) {
	first, shown, _ := strings.Cut(b.Content, "\n")
	command, isCommand := strings.CutPrefix(first, "$ ")
	switch {
	case b.File != "":
		if strings.HasSuffix(b.File, ".go") && !strings.HasSuffix(b.File, "_test.go") {
			r.program = b.File
		}
		return nil, r.Write(b.File, b.Content)
	case b.Language == "go":
		return nil, r.change(b.Content)
	case b.Language != "console" || !isCommand:
		return nil, nil
	case strings.HasPrefix(command, "go mod init "):
		return nil, r.begin(ctx, command)
	case !slices.ContainsFunc(r.Commands, func(begin string) bool { return strings.HasPrefix(command, begin) }):
		return nil, nil
	}
	said = &Said{Command: command, Shown: shown}
	said.Output, said.Status, err = r.Run(ctx, command)
	return said, err
}

// begin makes the module. In the place of go get, which would take what is published, the module gets this one, as the documents say for clones.
func (r *Reader) begin(ctx context.Context, command string) error {
	for _, command := range []string{command, "go mod edit -require " + published + "@v0.0.0", "go mod edit -replace '" + published + "=" + r.Root + "'"} {
		if output, status, err := r.Run(ctx, command); err != nil || status != 0 {
			return errors.Join(err, fmt.Errorf("%s: exit status %d: %s", command, status, output))
		}
	}
	sums, err := os.ReadFile(filepath.Join(r.Root, "go.sum"))
	if err != nil {
		return err
	}
	return r.Write("go.sum", string(sums)) // so that nobody asks a network for checksums
}

// Write writes a file.
func (r *Reader) Write(file, content string) error {
	path := filepath.Join(r.Folder, file)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), 0o600)
}

var definition = regexp.MustCompile(`(?m)^func (\w+)`)

// change puts a function, or a line, in the place of the one that there is.
func (r *Reader) change(content string) error {
	old, err := changed(content)
	if err != nil {
		return err
	}
	var files []string
	err = filepath.WalkDir(r.Folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		if old.Match(text) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return err
	}
	if program := filepath.Join(r.Folder, r.program); slices.Contains(files, program) {
		files = []string{program}
	}
	if len(files) != 1 {
		return fmt.Errorf("%v is in %d files, want one", old, len(files))
	}
	file, err := filepath.Rel(r.Folder, files[0])
	if err != nil {
		return err
	}
	return r.Replace(file, old, content)
}

// changed is what a block of Go takes the place of.
func changed(content string) (old *regexp.Regexp, err error) {
	if name := definition.FindStringSubmatch(content); name != nil {
		return regexp.MustCompile("(?ms)^// " + name[1] + " [^\n]*\nfunc " + name[1] + `\(.*?^}` + "\n"), nil
	}
	end := strings.IndexAny(content, ":=")
	if end < 0 {
		return nil, fmt.Errorf("%q: want a function, or a line with : or = to be changed", content)
	}
	return regexp.MustCompile("(?m)^" + regexp.QuoteMeta(content[:end+1]) + ".*\n"), nil
}

// Replace replaces the one place of a file that matches.
func (r *Reader) Replace(file string, old *regexp.Regexp, content string) error {
	path := filepath.Join(r.Folder, file)
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if places := len(old.FindAllIndex(text, -1)); places != 1 {
		return fmt.Errorf("%v is in %d places of %s, want one", old, places, file)
	}
	return os.WriteFile(path, old.ReplaceAllLiteral(text, []byte(content)), 0o600)
}

// Run runs a command in a shell, and returns all that it prints.
func (r *Reader) Run(ctx context.Context, command string) (output string, status int, err error) {
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir = r.Folder
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off", "MANGROVE_KEEP=on")
	text, err := cmd.CombinedOutput()
	if exited := (*exec.ExitError)(nil); errors.As(err, &exited) {
		err = nil
	}
	return string(text), cmd.ProcessState.ExitCode(), err
}
