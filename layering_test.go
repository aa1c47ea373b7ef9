package mangrove

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/mangrove-emu/mangrove"

// mayImport says which packages of this module each package may import. Arrows point down
// only; a package that is not listed here does not belong to the architecture yet.
var mayImport = map[string][]string{
	".":                          {},
	"figure":                     {},
	"internal/draw":              {"clock", "faults"},
	"internal/hugepages":         {},
	"clock":                      {},
	"mailbox":                    {"clock", "internal/hugepages"},
	"protocols":                  {"clock", "mailbox"},
	"protocols/tree":             {"clock"},
	"protocols/correction":       {"clock", "mailbox", "protocols"},
	"protocols/gossip/tuning":    {"clock"},
	"protocols/buntinas":         {"clock", "mailbox", "protocols"},
	"protocols/gossip":           {"clock", "mailbox", "protocols", "protocols/correction"},
	"protocols/broadcast":        {"clock", "mailbox", "protocols", "protocols/tree", "protocols/correction"},
	"protocols/reduce":           {"clock", "mailbox", "protocols", "protocols/tree"},
	"protocols/allreduce":        {"clock", "mailbox", "protocols", "protocols/broadcast", "protocols/reduce"},
	"protocols/membership":       {"clock", "mailbox", "protocols"},
	"protocols/membership/model": {"clock", "protocols/membership"},
	"protocols/ulfm":             {"clock", "mailbox", "protocols", "protocols/tree"},
	"protocols/collective":       {"clock", "protocols/tree", "protocols/ulfm"},
	"protocols/calibration":      {"clock", "mailbox", "protocols"},
	"protocols/proctest":         {"clock", "mailbox", "protocols"},
	"faults":                     {"clock"},
	"transport/wire":             {"clock", "mailbox"},
	"transport/tcp":              {"clock", "mailbox", "faults", "protocols", "transport/wire"},
	"emu":                        {"clock", "mailbox", "faults", "protocols", "internal/hugepages"},
	"traceevent":                 {"clock", "mailbox", "emu"},
	"view":                       {"clock", "mailbox", "faults", "emu", "guarantee", "traceevent"},
	"emutest":                    {"clock", "mailbox", "faults", "protocols", "emu", "guarantee", "search"},
	"fuzz":                       {"clock", "emu", "faults", "protocols/broadcast", "protocols/reduce", "scenarios"},
	"guarantee":                  {"clock", "mailbox", "faults", "emu", "protocols/membership"},
	"search":                     {"clock", "faults", "protocols", "emu", "guarantee"},
	"scenarios/samplesort":       {},
	"scenarios/tpch":             {},
	"scenarios/stats":            {},
	"scenarios/paper":            {"clock", "figure", "protocols/gossip/tuning", "scenarios", "scenarios/campaign", "scenarios/stats"},
	"scenarios/launch":           {"clock", "emu", "faults", "scenarios", "transport/tcp", "transport/wire"},
	"scenarios/campaign":         {"clock", "emu", "scenarios", "scenarios/stats"},
	"scenarios": {"scenarios/samplesort", "scenarios/tpch", "protocols/ulfm", "protocols/collective", "clock", "mailbox", "faults", "protocols", "emu",
		"protocols/tree", "protocols/correction", "protocols/broadcast", "protocols/reduce", "protocols/allreduce", "protocols/gossip", "protocols/gossip/tuning", "protocols/buntinas", "protocols/membership", "protocols/membership/model", "protocols/calibration", "guarantee", "search"},
	"cmd/mangrove": {"clock", "mailbox", "faults", "protocols", "protocols/gossip/tuning", "emu", "guarantee", "scenarios", "scenarios/campaign", "scenarios/paper", "scenarios/stats", "search", "traceevent", "view", "figure", "scenarios/launch", "transport/tcp", "transport/wire", "protocols/calibration"},
}

// notForProtocols are ways around the contract: what a protocol may touch of the world is
// its Proc.
var notForProtocols = []string{"time", "net", "sync", "sync/atomic", "os", "context"}

func TestArrowsBetweenPackagesPointDown(t *testing.T) {
	seen := make(map[string]bool)
	for file, imports := range sources(t) {
		dir := path.Dir(file)
		allowed, listed := mayImport[dir]
		require.True(t, listed, "package %s is not in the table of this test", dir)
		seen[dir] = true
		for _, imported := range imports {
			if inside, ours := strings.CutPrefix(imported, module+"/"); ours {
				require.Contains(t, allowed, inside, "%s imports %s", file, inside)
			}
		}
	}
	for dir := range mayImport {
		require.True(t, seen[dir], "package %s does not exist", dir)
	}
}

func TestProtocolsTouchTheWorldThroughProcOnly(t *testing.T) {
	checked := 0
	for file, imports := range sources(t) {
		if !strings.HasPrefix(file, "protocols/") || strings.HasPrefix(file, "protocols/proctest/") {
			continue
		}
		checked++
		for _, imported := range imports {
			require.False(t, slices.Contains(notForProtocols, imported), "%s imports %s", file, imported)
		}
	}
	require.NotZero(t, checked)
}

// The same protocol code runs on the emulator and on networks because it knows neither.
func TestProtocolsKnowNoMachine(t *testing.T) {
	checked := 0
	for file, imports := range sources(t) {
		if !strings.HasPrefix(file, "protocols/") {
			continue
		}
		checked++
		for _, imported := range imports {
			inside, _ := strings.CutPrefix(imported, module+"/")
			machine := inside == "emu" || strings.HasPrefix(inside, "transport/") || strings.HasPrefix(inside, "scenarios")
			require.False(t, machine, "%s imports %s", file, imported)
		}
	}
	require.NotZero(t, checked)
}

func TestEveryPackageHasADocFile(t *testing.T) {
	docs := make(map[string]bool)
	for file := range sources(t) {
		dir := path.Dir(file)
		docs[dir] = docs[dir] || path.Base(file) == "doc.go"
	}
	for dir, has := range docs {
		require.True(t, has, "package %s has no doc.go", dir)
	}
}

// sources returns the imports of every Go file that is not a test, by its path.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	found := make(map[string][]string)
	for _, name := range goFiles(t) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		require.NoError(t, err)
		imports := []string{}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			imports = append(imports, imported)
		}
		found[filepath.ToSlash(name)] = imports
	}
	return found
}

// goFiles lists all Go files, tests included.
func goFiles(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		base := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (strings.HasPrefix(base, ".") || base == "testdata" || base == "tmp"):
			return filepath.SkipDir
		case strings.HasSuffix(name, ".go"):
			names = append(names, name)
		}
		return nil
	})
	require.NoError(t, err)
	return names
}
