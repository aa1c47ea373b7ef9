package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// createBeside makes a file next to the one that it will replace once it is complete.
func createBeside(path string, mode os.FileMode) (*os.File, error) {
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".mangrove-%016x.tmp", rand.Uint64()))
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

// canReplace makes sure that a file can be written, and returns where it really is.
func canReplace(path string) (string, error) {
	switch existing, err := os.OpenFile(path, os.O_WRONLY, 0); {
	case err == nil:
		if err := existing.Close(); err != nil {
			return path, err
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return path, err
		}
	case !os.IsNotExist(err):
		return path, err
	}
	trial, err := createBeside(path, 0o666)
	if err != nil {
		return path, err
	}
	return path, errors.Join(trial.Close(), os.Remove(trial.Name()))
}

// replaceFile writes a file anew. Whoever reads it sees all of the old or all of the new text.
func replaceFile(path string, text []byte) error {
	file, err := createBeside(path, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}
