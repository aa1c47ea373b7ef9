package emutest

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/internal/wholefile"
)

// keptFile is a schedule that has broken something, in a file of its own:
//
//	mangrove test v1
//	# broken: check
//	#     decisions ["" "commit" "abort" "abort"]
//	faults: crash:0@after-send1
//	seed: 0
//
// The first line is that of the format. Lines that begin with # are for people. Without a seed it is that of the test.
type keptFile struct {
	path     string // from the folder of the package
	schedule faults.Schedule
	seed     uint64
}

// formatV1 is the first line of each file.
const formatV1 = "mangrove test v1"

// maxRemarks is how many lines there are about what was broken: a check may print all that it knows.
const maxRemarks = 20

// textOf is what a file says of a violation.
func textOf(v *Violation) string {
	remarks := strings.Split(listBroken(v.Broken), "\n")
	if len(remarks) > maxRemarks {
		remarks = append(remarks[:maxRemarks], "...")
	}
	var b strings.Builder
	fmt.Fprintln(&b, formatV1)
	for _, remark := range remarks {
		fmt.Fprintln(&b, strings.TrimRight("# "+remark, " \t\r"))
	}
	fmt.Fprintf(&b, "faults: %v\nseed: %d\n", v.Schedule, v.Seed)
	return b.String()
}

// readKept reads a file. The error says which file, which line and what is valid; path is what the file is called in it.
func readKept(folder, path string, test *Test) (keptFile, error) {
	text, err := readText(filepath.Join(folder, path))
	if err != nil {
		return keptFile{}, named(path, err)
	}
	kept, line, err := parseKept(text, test)
	if err != nil {
		return keptFile{}, fmt.Errorf("%s:%d: %w", path, line, err)
	}
	kept.path = path
	return kept, nil
}

// maxText is how large a file may be. What tests write are a few lines.
const maxText = 1 << 20

// readText reads a file that is not larger.
func readText(path string) (string, error) {
	file, err := wholefile.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxText+1))
	if err == nil && len(text) > maxText {
		err = fmt.Errorf("larger than 1 MiB: %s", allIsRun)
	}
	return string(text), err
}

// named is an error about a file that is called by its path from the folder of the package.
func named(path string, err error) error {
	if of, ok := errors.AsType[*os.PathError](err); ok {
		err = of.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// parseKept reads the text of a file for a test. With an error it returns the number of the line.
func parseKept(text string, test *Test) (kept keptFile, number int, err error) {
	kept.seed = test.Seed
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	if first := strings.TrimSpace(lines[0]); first != formatV1 {
		return kept, 1, wrongFormat(first)
	}
	known := make(map[string]bool)
	for i, line := range lines[1:] {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, _ := strings.Cut(line, ":")
		if known[key] {
			return kept, i + 2, fmt.Errorf("%s for the second time, want it once", quote(key))
		}
		known[key] = true
		switch value = strings.TrimSpace(value); key {
		case "faults":
			kept.schedule, err = test.parseKeptSchedule(value)
		case "seed":
			if kept.seed, err = strconv.ParseUint(value, 10, 64); err != nil {
				err = fmt.Errorf("seed %s, want a number from 0 to %d", quote(value), uint64(math.MaxUint64))
			}
		default:
			err = fmt.Errorf("%s, want faults: SCHEDULE, seed: NUMBER, or # and a remark", quote(line))
		}
		if err != nil {
			return kept, i + 2, err
		}
	}
	if !known["faults"] {
		return kept, len(lines), errors.New("the file ends without a schedule, want faults: SCHEDULE")
	}
	return kept, 0, nil
}

func wrongFormat(first string) error {
	if strings.HasPrefix(first, "mangrove test v") {
		return fmt.Errorf("%s, want %q: this is another version of Mangrove than the one that has written the file", quote(first), formatV1)
	}
	return fmt.Errorf("%s, want %q: %s", quote(first), formatV1, allIsRun)
}

// allIsRun tells who has put something else there.
const allIsRun = "everything in this folder is run as a schedule, but for .html and what begins with a dot"

// quote shows a text in a message, as far as it is not very long: a file may be anything.
func quote(text string) string {
	const longest = 80
	if len(text) > longest {
		return fmt.Sprintf("%q...", text[:longest])
	}
	return fmt.Sprintf("%q", text)
}

// parseKeptSchedule reads a schedule that the test could still find.
func (test *Test) parseKeptSchedule(text string) (faults.Schedule, error) {
	if text == "" { // what breaks without faults is kept as none
		return nil, errors.New("faults: is empty, want a schedule, or none")
	}
	schedule, err := parseSchedule(text, test.Machine.Ranks)
	if err != nil {
		return nil, fmt.Errorf("faults: %s; if the test is right, delete the file", problems.Of(err))
	}
	if err := test.excludes(schedule); err != nil {
		return nil, fmt.Errorf("faults: %w; if the test is right, delete the file, else have it in Schedules", err)
	}
	return schedule, nil
}
