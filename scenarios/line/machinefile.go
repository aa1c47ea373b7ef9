package line

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// MachineFile is a machine to run lines on, kept in a file for the key machine. It is in TOML:
//
//	# measured on two hosts in one rack
//	tick = "1ns"
//	L = 12_000
//	o = 2_300
//	g = 2_500
//	G = 1
//	Lin = 400
//	oin = 200
//	network = "switch:900"
//
//	[measured]
//	round_trip = 33_212.5
//
// All keys may be left out. What the file has takes the place of a key's default; what a line says
// itself comes first. Lin and oin are for lines that say how many nodes there are. In [measured] there may be anything, which lines do not read.
type MachineFile struct {
	Comment string // the lines that the file begins with, without their "# "

	Tick     Unit       // 0: not in the file
	Latency  clock.Time // L; 0: not in the file
	Overhead clock.Time // o; 0: not in the file
	Gap      clock.Time // g
	PerByte  clock.Time // G
	Network  string     // as on a line; "": not in the file

	InsideLatency  clock.Time // Lin; 0: not in the file
	InsideOverhead clock.Time // oin; 0: not in the file

	// Measured is for whoever reads the file. Numbers come back from a file as int64 and float64,
	// lists as []any, tables as map[string]any.
	Measured map[string]any
}

// NewMachineFile returns the file of a machine with ticks of that length. The number of ranks is
// not part of it.
func NewMachineFile(tick Unit, p clock.LogP) MachineFile {
	return MachineFile{Tick: tick, Latency: p.Latency, Overhead: p.Overhead, Gap: p.Gap, PerByte: p.PerByte}
}

// maxMachineFile is how many bytes such a file may have: whatever is longer is something else.
const maxMachineFile = 64 << 10

// ReadMachineFile reads a file. The error is an [InputError] that lists all problems, each with the
// name of the file.
func ReadMachineFile(path string) (MachineFile, error) {
	f, found := readMachineFile(path)
	var wrong problems.List
	wrong.In(path, found)
	return f, Refuse(wrong...)
}

// readMachineFile lists what is wrong without the name of the file.
func readMachineFile(path string) (f MachineFile, wrong problems.List) {
	text, err := readSmallFile(path)
	if err != nil {
		return f, problems.List{err}
	}
	return parseMachineFile(text)
}

// readSmallFile reads an ordinary file that is not too long. It does not wait for others to write.
func readSmallFile(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", withoutPath(err)
	case info.IsDir():
		return "", errors.New("is a folder, want a file")
	case !info.Mode().IsRegular():
		return "", errors.New("is not an ordinary file")
	case info.Size() > maxMachineFile:
		return "", fmt.Errorf("has more than %d bytes, want up to that: it is not the file of a machine", maxMachineFile)
	}
	text, err := os.ReadFile(path)
	return string(text), withoutPath(err)
}

// withoutPath is what went wrong with a file, without its name.
func withoutPath(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("cannot be read: %w", path.Err)
	}
	return err
}

// Marshal returns the text of the file. What cannot be read back is an error.
func (f MachineFile) Marshal() ([]byte, error) {
	var b bytes.Buffer
	if f.Comment != "" {
		fmt.Fprintf(&b, "# %s\n", strings.ReplaceAll(f.Comment, "\n", "\n# "))
	}
	said := f.values()
	for _, key := range machineFileKeys {
		value, ok := said[key]
		if isWord(key) {
			value = strconv.Quote(value)
		}
		if ok {
			fmt.Fprintf(&b, "%s = %s\n", key, value)
		}
	}
	if len(f.Measured) > 0 {
		fmt.Fprintln(&b)
		encoder := toml.NewEncoder(&b)
		encoder.Indent = ""
		if err := encoder.Encode(map[string]any{measuredTable: f.Measured}); err != nil {
			return nil, fmt.Errorf("scenarios: what was measured cannot be written: %w", err)
		}
	}
	if b.Len() > maxMachineFile {
		return nil, fmt.Errorf("scenarios: the file of the machine would have %d bytes, want up to %d", b.Len(), maxMachineFile)
	}
	_, wrong := parseMachineFile(b.String())
	return b.Bytes(), Refuse(wrong...)
}
