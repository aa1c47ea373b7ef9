package emutest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/internal/wholefile"
)

// packageFolder is where go test starts the tests of a package. A test may go elsewhere later.
var packageFolder, _ = os.Getwd()

// keptRoot has a folder for each test that has failed.
var keptRoot = filepath.Join("testdata", "mangrove")

// keptFolder is the folder of a test or subtest, from that of the package. Later calls in a test have folders in it.
func keptFolder(by call) string {
	parts := []string{keptRoot}
	for part := range strings.SplitSeq(by.test, "/") {
		parts = append(parts, safeName(part))
	}
	return filepath.Join(append(parts, by.folder())...)
}

// longestName is how many bytes a folder's name may have; file systems allow 255, and Windows some 260 for a whole path.
const longestName = 80

// safeName is a name that all file systems and module files allow, and that is another one for each text. Where file systems do not tell A from a, subtests of
// which only that is different share a folder, and run what was kept for each other.
func safeName(text string) string {
	safe := strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("_-+=,.#()[]@", r) {
			return r
		}
		return '_'
	}, text)
	safe = safe[:min(len(safe), longestName)]
	if trimmed := strings.Trim(safe, "."); trimmed == "" || trimmed != safe || taken.MatchString(safe) {
		safe = "_" + trimmed
	}
	if safe == text {
		return safe
	}
	return safe + "-" + hashOf(text)
}

// taken matches what Windows takes for the name of a device, and folders of later calls.
var taken = regexp.MustCompile(`(?i)^((con|prn|aux|nul|com\d|lpt\d)(\.|$)|run-\d+$)`)

// hashOf is short, and not the same for two texts.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%x", sum[:4])
}

// keptName is what the files of a schedule are called: the same for the same.
func keptName(schedule faults.Schedule, seed uint64) string {
	return hashOf(fmt.Sprintf("%v\n%d", schedule, seed))
}

// isPage tells the pages of runs, which lie beside their schedules.
func isPage(name string) bool { return filepath.Ext(name) == pageExt }

const pageExt = ".html"

// readAllKept reads what was kept for a test, in the order of names. The error lists everything that is wrong.
func readAllKept(folder string, by call, test *Test) (all []keptFile, err error) {
	at := keptFolder(by)
	entries, err := os.ReadDir(filepath.Join(folder, at))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		return nil, named(at, err)
	}
	var wrong problems.List
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || isPage(name) || strings.HasPrefix(name, ".") {
			continue // of subtests and later calls, to look at, and of others
		}
		kept, err := readKept(folder, filepath.Join(at, name), test)
		wrong.Note(err)
		all = append(all, kept)
	}
	return all, wrong.ErrLines("")
}

// makeFolder makes a folder of the package, if the package is somewhere where one may write. A folder that nobody may write to, such as one of
// the module cache, is left alone also by those who may write everywhere.
func makeFolder(folder, path string) error {
	for at := path; ; at = filepath.Dir(at) {
		info, err := os.Stat(filepath.Join(folder, at))
		if errors.Is(err, fs.ErrNotExist) && at != "." {
			continue
		}
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return fmt.Errorf("%s is no folder", at)
		}
		if info.Mode().Perm()&0o222 == 0 {
			return fmt.Errorf("the folder %s is read-only", inPackage(at))
		}
		break
	}
	_, err := os.Stat(filepath.Join(folder, keptRoot))
	isFirst := errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(filepath.Join(folder, path), 0o777); err != nil {
		return err
	}
	if isFirst { // whoever deletes or changes it later wants it so
		return wholefile.Write(filepath.Join(folder, keptRoot, ".gitignore"), []byte(ignored))
	}
	return nil
}

// inPackage names a folder.
func inPackage(path string) string {
	if path == "." {
		return "of the package"
	}
	return path
}

// ignored is for git: schedules are to be committed, pages are large and made again by the next run.
const ignored = "# Files are kept to be run by go test, and to be committed. Pages are only to look at.\n*" + pageExt + "\n"
