package emutest

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"al.essio.dev/pkg/shellescape"

	"github.com/mangrove-emu/mangrove/internal/wholefile"
)

// pages are the tests that have written a page with -mangrove.view, by its path.
var pages sync.Map

// claimPage returns where the page is to be written; "" if nowhere. One file has room for the run of one test: another that wants the same is refused.
func (only selection) claimPage(t testing.TB, by call) (string, error) {
	if only.page == "" {
		return "", nil
	}
	path := only.page
	if !filepath.IsAbs(path) {
		path = filepath.Join(packageFolder, path)
	}
	if first, taken := pages.LoadOrStore(path, t); taken {
		switch other := first.(testing.TB); {
		case other == t:
			return "", fmt.Errorf("-mangrove.view=%s: %s has several Runs, want one of them: -mangrove.run=%d", only.page, t.Name(), by.nth)
		case other.Name() != t.Name(): // else it is repeated, by -count
			return "", fmt.Errorf("-mangrove.view=%s: the page of %s is there already, want one test: -run %s", only.page, other.Name(), shellescape.Quote(pattern(t.Name())))
		}
		pages.Store(path, t)
	}
	if _, err := wholefile.Check(path); err != nil {
		return "", fmt.Errorf("-mangrove.view=%s: %w", only.page, reason(err))
	}
	return path, nil
}
