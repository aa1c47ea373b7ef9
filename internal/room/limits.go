package room

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// Limit is something that has room for so many bytes more.
type Limit struct {
	ID    string `json:"id"`    // two processes with the same share it
	Name  string `json:"name"`  // in words: what it is, and where
	Bytes int64  `json:"bytes"` // 0 or more
}

// Limits are all that limit this process.
func Limits() []Limit {
	host, err := os.Hostname()
	if err != nil {
		host = "this one"
	}
	return limitsOf(os.DirFS("/"), host, os.Getpid())
}

// limitsOf reads them from a file system. Names of hosts are not unique, and containers have names of their own; what is the same for all
// containers on a host, and for no other host, is the ID of its boot.
func limitsOf(files fs.FS, host string, pid int) (all []Limit) {
	boot := firstLine(files, "proc/sys/kernel/random/boot_id")
	if boot == "" {
		boot = host
	}
	if bytes, ok := field(files, "proc/meminfo", "MemAvailable:"); ok {
		all = append(all, Limit{ID: boot, Name: "host " + host, Bytes: bytes << 10})
	}
	for _, g := range groupsOf(files) {
		if bytes, limited := g.room(files); limited {
			all = append(all, Limit{ID: strings.Join([]string{boot, host, g.dir}, " "), Name: fmt.Sprintf("cgroup %s of host %s", g.path, host), Bytes: bytes})
		}
	}
	if bytes, limited := addressSpace(files); limited {
		all = append(all, Limit{ID: fmt.Sprintf("%s %s process %d", boot, host, pid), Name: fmt.Sprintf("the address space of a process (ulimit -v) on host %s", host), Bytes: bytes})
	}
	return all
}

// addressSpace is how much more of it the process may have, if somebody has limited it.
func addressSpace(files fs.FS) (bytes int64, limited bool) {
	const name = "Max address space"
	for line := range lines(files, "proc/self/limits") {
		rest, ok := strings.CutPrefix(line, name)
		if !ok {
			continue
		}
		words := strings.Fields(rest)
		if len(words) == 0 {
			return 0, false
		}
		most, err := strconv.ParseInt(words[0], 10, 64)
		if err != nil {
			return 0, false // unlimited
		}
		has, _ := field(files, "proc/self/status", "VmSize:")
		return max(0, most-has<<10), true
	}
	return 0, false
}

// lines are those of a file, none if there is no such file.
func lines(files fs.FS, name string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		file, err := files.Open(name)
		if err != nil {
			return
		}
		defer file.Close()
		for all := bufio.NewScanner(file); all.Scan(); {
			if !yield(all.Text()) {
				return
			}
		}
	}
}

// firstLine is that of a file, "" if there is none.
func firstLine(files fs.FS, name string) string {
	for line := range lines(files, name) {
		return strings.TrimSpace(line)
	}
	return ""
}

// number is what a file consists of.
func number(files fs.FS, name string) (n int64, ok bool) {
	n, err := strconv.ParseInt(firstLine(files, name), 10, 64)
	return n, err == nil
}

// field is the number behind a word that begins a line of a file.
func field(files fs.FS, name, word string) (n int64, ok bool) {
	for line := range lines(files, name) {
		if words := strings.Fields(line); len(words) >= 2 && words[0] == word {
			n, err := strconv.ParseInt(words[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
