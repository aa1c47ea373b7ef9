package launch

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// folder is where ranks on this host keep what is to outlive their processes. It is of one run: what another one has left would be taken for
// what a rank knew before it failed.
type folder struct {
	path      string // "": ranks keep nothing
	temporary bool
}

// openFolder makes a folder for ranks that keep something: one with a name, or a temporary one that closing removes. The journals of other
// ranks may be in the former already.
func openFolder(name string, keeps bool) (folder, error) {
	if !keeps {
		return folder{}, nil
	}
	if name == "" {
		path, err := os.MkdirTemp("", "mangrove-")
		return folder{path, true}, err
	}
	path, err := filepath.Abs(name)
	if err == nil {
		err = os.MkdirAll(path, 0o777)
	}
	if err != nil {
		return folder{}, line.Refuse(fmt.Errorf("storage in %s: %w", name, err))
	}
	return folder{path: path}, nil
}

// openEmpty is openFolder where nobody else can be at work in the same folder.
func openEmpty(name string, keeps bool) (folder, error) {
	f, err := openFolder(name, keeps)
	if err != nil || f.path == "" || f.temporary {
		return f, err
	}
	entries, err := os.ReadDir(f.path)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s is there, want an empty folder: what another run has left is not for this one", entries[0].Name())
	}
	if err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(f.path, ".probe-"); err == nil {
			probe.Close()
			err = os.Remove(probe.Name())
		}
	}
	if err != nil {
		return folder{}, line.Refuse(fmt.Errorf("storage in %s: %w", name, err))
	}
	return f, nil
}

// close removes what is temporary.
func (f folder) close() {
	if f.temporary {
		os.RemoveAll(f.path)
	}
}

// checkStorage says why a folder is of no use.
func checkStorage(run *scenarios.Run, name string) error {
	if p := run.Protocol(); name != "" && !p.Stores {
		return line.Refuse(fmt.Errorf("storage in %s: ranks of %s keep nothing, want no folder", name, p.Name))
	}
	return nil
}
