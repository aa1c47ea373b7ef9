package house

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/mangrove-emu/mangrove"

// root is where the module begins.
const root = "../.."

// floors are the rooms of the house, from the ground up. A package may import packages of the floors
// below and of its own; a room that is not named here does not belong to the architecture yet. A
// pattern with /... stands for a folder and all below it; the most particular one that fits counts.
var floors = [][]string{
	{"internal/hugepages", "internal/journal", "internal/problems", "internal/recent", "internal/records", "internal/room", "internal/splitmix", "internal/text", "internal/wholefile"},
	{"clock"},
	{"mailbox"},
	{"faults"},
	{"report"},
	{"protocols/..."},
	{"emu/...", "transport/..."},
	{"check/guarantee"},
	{"report/..."}, // pictures of what machines have reported, with what was promised
	{"check/..."},
	{"scenarios/applications/...", "scenarios/stats"},
	{"scenarios/line"},
	{"scenarios"},
	{"scenarios/catalog"},
	{"scenarios/..."},
	{"cmd/...", "examples/..."},
	{".", "internal/house", "internal/guide/...", "internal/draw", "internal/thorough", "internal/benchmark", "internal/mutate", "internal/viewtest", "internal/browsertest", "internal/scale", "internal/reporttest", "internal/carriertest", "internal/aparttest", "internal/shortlines"}, // tests only
}

// floorOf is where a package stands; -1 if nowhere.
func floorOf(dir string) int {
	floor, longest := -1, -1
	for i, rooms := range floors {
		for _, room := range rooms {
			folder, open := strings.CutSuffix(room, "/...")
			fits := dir == folder || open && strings.HasPrefix(dir, folder+"/")
			if fits && (len(folder) > longest || len(folder) == longest && !open) {
				floor, longest = i, len(folder)
			}
		}
	}
	return floor
}

// notForProtocols are ways around the contract: what a protocol may touch of the world is
// its Proc.
var notForProtocols = []string{"time", "net", "sync", "sync/atomic", "os", "context"}

func TestArrowsBetweenPackagesPointDown(t *testing.T) {
	seen := make(map[int]bool)
	for file, imports := range sources(t) {
		floor := floorOf(path.Dir(file))
		require.GreaterOrEqual(t, floor, 0, "the folder of %s is not in the list of floors", file)
		seen[floor] = true
		for _, imported := range imports {
			if inside, ours := strings.CutPrefix(imported, module+"/"); ours {
				require.LessOrEqual(t, floorOf(inside), floor, "%s imports %s", file, inside)
			}
		}
	}
	for floor, rooms := range floors {
		require.True(t, seen[floor], "nothing is in %v", rooms)
	}
}

// What only looks at runs must not know which machine they ran on.
func TestCheckersAndPicturesKnowNoMachine(t *testing.T) {
	checked := 0
	for file, imports := range sources(t) {
		if !strings.HasPrefix(file, "check/guarantee/") && !strings.HasPrefix(file, "report/") {
			continue
		}
		checked++
		for _, imported := range imports {
			require.False(t, isMachine(imported), "%s imports %s", file, imported)
		}
	}
	require.NotZero(t, checked)
}

func isMachine(imported string) bool {
	inside, _ := strings.CutPrefix(imported, module+"/")
	return inside == "emu" || strings.HasPrefix(inside, "transport/")
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
			require.False(t, isMachine(imported), "%s imports %s", file, imported)
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

func TestTheRootHasNoOtherGo(t *testing.T) {
	var atRoot []string
	for _, file := range goFiles(t) {
		if path.Dir(file) == "." {
			atRoot = append(atRoot, file)
		}
	}
	require.ElementsMatch(t, []string{"bench_test.go", "doc.go", "example_test.go"}, atRoot)
}

// What drives a browser is needed by one test, in a module of its own.
func TestUsersOfTheModuleGetNoBrowser(t *testing.T) {
	needed, err := os.ReadFile(path.Join(root, "go.mod"))
	require.NoError(t, err)
	require.NotContains(t, string(needed), "chromedp")
	needed, err = os.ReadFile(path.Join(root, "internal/browsertest/go.mod"))
	require.NoError(t, err)
	require.Contains(t, string(needed), "chromedp")
}

// sources returns the imports of every Go file that is not a test, by its path.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	found := make(map[string][]string)
	for _, name := range goFiles(t) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path.Join(root, name), nil, parser.ImportsOnly)
		require.NoError(t, err)
		imports := []string{}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			imports = append(imports, imported)
		}
		found[name] = imports
	}
	return found
}

// goFiles lists all Go files below the root, tests included.
func goFiles(t *testing.T) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		base := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (strings.HasPrefix(base, ".") || base == "testdata" || base == "tmp"):
			return fs.SkipDir
		case strings.HasSuffix(name, ".go"):
			names = append(names, name)
		}
		return nil
	})
	require.NoError(t, err)
	return names
}
