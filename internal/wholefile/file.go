package wholefile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// File is written beside the file that it replaces once it is complete, which keeps its permissions. A link stays, and what
// it leads to is replaced. A device or a pipe is written to and never replaced.
//
// There are libraries for this; renameio does not build on Windows, and natefinch/atomic takes a whole text and
// makes files that only their owner can read.
type File struct {
	*os.File
	path      string // what it is called in the end
	temporary bool   // it has another name still
}

// Create makes such a file, or says why it cannot be written. It is the caller's to finish or to abandon.
func Create(path string) (*File, error) {
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return beside(path, 0o666)
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("it is a directory")
	}
	existing, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return &File{File: existing, path: path}, nil
	}
	if err := existing.Close(); err != nil {
		return nil, err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return nil, err
	}
	file, err := beside(path, info.Mode().Perm())
	if err != nil {
		return nil, err
	}
	if err := file.Chmod(info.Mode().Perm()); err != nil { // whatever the umask
		file.Abandon()
		return nil, err
	}
	return file, nil
}

// beside makes a file in the folder of another one, so that it can take the place of that.
func beside(path string, mode os.FileMode) (*File, error) {
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".mangrove-%016x.tmp", rand.Uint64()))
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if failed, ok := errors.AsType[*fs.PathError](err); ok { // nobody has heard of that name
		return nil, &fs.PathError{Op: failed.Op, Path: filepath.Dir(path), Err: failed.Err}
	}
	if err != nil {
		return nil, err
	}
	return &File{File: file, path: path, temporary: true}, nil
}

// Path is where the file is once it is complete.
func (f *File) Path() string { return f.path }

// Finish gives the file its name, unless writing it failed: then the file is abandoned.
func (f *File) Finish(err error) error {
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil && f.temporary {
		err = os.Rename(f.Name(), f.path)
		f.temporary = err != nil
	}
	if err != nil {
		f.Abandon()
	}
	return err
}

// Abandon removes what has no name yet. After Finish it does nothing.
func (f *File) Abandon() {
	_ = f.Close() // again, perhaps
	if f.temporary {
		_ = os.Remove(f.Name())
		f.temporary = false
	}
}

// Write writes a file.
func Write(path string, text []byte) error {
	file, err := Create(path)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return file.Finish(err)
}

// Check makes sure, before the work on it begins, that a file can be written, and returns where it really is.
func Check(path string) (string, error) {
	file, err := Create(path)
	if err != nil {
		return path, err
	}
	file.Abandon()
	return file.path, nil
}
