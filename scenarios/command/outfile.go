package command

import (
	"fmt"
	"io"

	"github.com/mangrove-emu/mangrove/internal/wholefile"
)

// outFile is where a trace or a page of a run goes: a file, which gets its name only when it is complete, so that a
// failed run leaves an older one alone, or standard output. A nil outFile takes nothing.
type outFile struct {
	io.Writer
	what string // it is
	path string // in messages
	file *wholefile.File
}

// openOut makes sure, before a run, that something can be written.
func (a *app) openOut(what, path string) (*outFile, error) {
	if path == "-" {
		return &outFile{Writer: a.stdout, what: what, path: "standard output"}, nil
	}
	file, err := wholefile.Create(path)
	if err != nil {
		return nil, (&outFile{what: what, path: path}).problem(err)
	}
	return &outFile{file, what, file.Path(), file}, nil
}

// beside is where to say something about an output: on standard output, unless it goes there itself.
func (a *app) beside(path string) io.Writer {
	if path == "-" {
		return output{a.stderr}
	}
	return a.stdout
}

// finish completes the file, unless writing it failed.
func (o *outFile) finish(err error) error {
	if o.file != nil {
		err = o.file.Finish(err)
	}
	if err != nil {
		return o.problem(err)
	}
	return nil
}

// abandon removes what was not finished.
func (o *outFile) abandon() {
	if o != nil && o.file != nil {
		o.file.Abandon()
	}
}

func (o *outFile) problem(err error) error {
	return fmt.Errorf("cannot write the %s to %s: %w", o.what, o.path, unwritten(err))
}
