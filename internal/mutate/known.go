package main

import (
	"fmt"
	"slices"

	"github.com/BurntSushi/toml"
)

// known is a mistake that no test can notice.
type known struct {
	File   string // from the root of the module
	Line   string // what the mistake changes, as printed
	Become string // what it becomes, as printed
	Why    string // nothing differs, or only speed or memory
}

// readKnown reads the list of such mistakes.
func readKnown(name string) ([]known, error) {
	var list struct{ Mistake []known }
	meta, err := toml.DecodeFile(name, &list)
	if err != nil {
		return nil, err
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("%s: unknown keys %v", name, unknown)
	}
	for _, k := range list.Mistake {
		if k.File == "" || k.Line == "" || k.Why == "" {
			return nil, fmt.Errorf("%s: a mistake needs file, line and why: %+v", name, k)
		}
	}
	return list.Mistake, nil
}

func (k known) is(m mutant) bool {
	return k.File == m.file && k.Line == m.before() && k.Become == m.after()
}

// gone lists what is known of these files and cannot be planted any more.
func gone(all []mutant, list []known, files []string) (stale []known) {
	for _, k := range list {
		if slices.Contains(files, k.File) && !slices.ContainsFunc(all, k.is) {
			stale = append(stale, k)
		}
	}
	return stale
}
