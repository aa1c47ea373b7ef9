package launch

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// MakeKey writes the key of a new job to a new file, which nobody else can read.
func MakeKey(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(file, wire.NewJob().Key())
	if err = cmp.Or(err, file.Close()); err != nil {
		os.Remove(path) // else the next one could not be written
	}
	return err
}

// ReadKey reads the key of a job from a file, which nobody else should be able to read.
func ReadKey(path string) (wire.Job, error) {
	info, err := os.Stat(path)
	if err != nil {
		return wire.Job{}, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return wire.Job{}, fmt.Errorf("others can read it (mode %o), want 600", info.Mode().Perm())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return wire.Job{}, err
	}
	return wire.ParseKey(strings.TrimSpace(string(text)))
}
