package room

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// group is a control group that this process is in, or one above it.
type group struct {
	path string // as the process sees it
	dir  string // where its files are, from the root of the file system
	kind kind
}

// kind is a version of control groups. They may both be there: then memory is a matter of one of them, and the other has no files for it.
type kind struct {
	fileSystem     string // in /proc/self/mountinfo
	most, used     string // files: bytes that the group may have, and that it has
	cache          string // in memory.stat: bytes of files that nobody has read again, which give way when memory is needed
	mostWithAbove  string // in memory.stat: the least of what those above may have, also of those that a container does not see
	withController bool   // each controller is mounted by itself
}

var kinds = []kind{
	{fileSystem: "cgroup2", most: "memory.max", used: "memory.current", cache: "inactive_file"},
	{
		fileSystem: "cgroup", most: "memory.limit_in_bytes", used: "memory.usage_in_bytes", cache: "total_inactive_file",
		mostWithAbove: "hierarchical_memory_limit", withController: true,
	},
}

// unlimited is more than any machine has; version 1 says so of groups without a limit, rounded to pages.
const unlimited = 1 << 60

// groupsOf are the groups of the process, each followed by those above it, as far as they can be seen.
func groupsOf(files fs.FS) (all []group) {
	for _, k := range kinds {
		own, ok := k.pathOf(files)
		if !ok {
			continue
		}
		root, point, ok := k.mount(files)
		if !ok {
			continue
		}
		below, inside := cutFolder(own, root)
		if !inside {
			below = "" // of a container that sees but its own group, whatever that is called outside
		}
		for {
			all = append(all, group{path: path.Join("/", root, below), dir: strings.TrimPrefix(path.Join(point, below), "/"), kind: k})
			if below == "" {
				break
			}
			if below = path.Dir(below); below == "/" || below == "." {
				below = ""
			}
		}
	}
	return all
}

// pathOf is the group that the process is in. A line has a number, controllers and a path; version 2 has no controllers.
func (k *kind) pathOf(files fs.FS) (own string, ok bool) {
	for line := range lines(files, "proc/self/cgroup") {
		words := strings.SplitN(line, ":", 3)
		if len(words) < 3 {
			continue
		}
		if k.withController && slices.Contains(strings.Split(words[1], ","), "memory") || !k.withController && words[0] == "0" && words[1] == "" {
			return words[2], true
		}
	}
	return "", false
}

// mount is where the files of groups are: which group is mounted, and at which folder. A line has a number, that of its parent, a device,
// the root of the mount, its folder, options, more of them, "-", the file system, a source, and options of the file system.
func (k *kind) mount(files fs.FS) (root, point string, ok bool) {
	for line := range lines(files, "proc/self/mountinfo") {
		words := strings.Fields(line)
		dash := slices.Index(words, "-")
		if dash < 6 || len(words) < dash+4 || words[dash+1] != k.fileSystem {
			continue
		}
		if k.withController && !slices.Contains(strings.Split(words[dash+3], ","), "memory") {
			continue
		}
		return unescaped(words[3]), unescaped(words[4]), true
	}
	return "", "", false
}

// unescaped is a path of mountinfo, which has blanks and the like in octal.
var unescaped = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace

// cutFolder is what a path has behind a folder that it is in, or is.
func cutFolder(name, folder string) (below string, inside bool) {
	folder = strings.TrimSuffix(folder, "/")
	below, inside = strings.CutPrefix(name, folder)
	if !inside || below != "" && below[0] != '/' || strings.Contains(below, "/..") {
		return "", false
	}
	return strings.TrimSuffix(below, "/"), true
}

// room is how much more a group may have, if it is limited. What it has for files that nobody has read again counts as free.
func (g *group) room(files fs.FS) (bytes int64, limited bool) {
	at := func(name string) string { return path.Join(g.dir, name) }
	most, ok := number(files, at(g.kind.most))
	if !ok {
		most = unlimited // "max", or there is no such file, as of the topmost group
	}
	if g.kind.mostWithAbove != "" {
		if above, ok := field(files, at("memory.stat"), g.kind.mostWithAbove); ok {
			most = min(most, above)
		}
	}
	if most >= unlimited {
		return 0, false
	}
	used, ok := number(files, at(g.kind.used))
	if !ok {
		return 0, false
	}
	cache, _ := field(files, at("memory.stat"), g.kind.cache)
	return max(0, most-used+min(cache, used)), true
}
