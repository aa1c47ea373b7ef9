package catalog

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// lineFamily are lines that differ in the value of one key; without a key, it is one line.
type lineFamily struct {
	words  string
	key    string
	values []string
}

// lineFamilies are several of them.
type lineFamilies []lineFamily

// tabulated are the lines whose promises docs/guarantees.md shows: every protocol, with each value of the keys that its
// promises depend on.
var tabulated = lineFamilies{
	{"broadcast", "correction", corrections.Names()},
	{"broadcast start=overlapped", "correction", corrections.Names()},
	{"broadcast repeat=2", "correction", corrections.Names()},
	{"broadcast repeat=2 start=overlapped", "correction", corrections.Names()},
	{"multitree trees=3 k=3", "", nil},
	{"gossip", "variant", gossipVariants.Names()},
	{"gossip variant=ccg start=sharp T=20", "", nil},
	{"big P=16", "", nil},
	{"bfb", "notices", noticed.Names()},
	{"reduce", "", nil},
	{"allreduce", "correction", corrections.Names()},
	{"membership", "minority", minorities.Names()},
	{"ulfm", "agreement", agreements.Names()},
	{"ulfm op=shrink", "agreement", agreements.Names()},
	{"ulfm op=revoke", "revoke", revocations.Names()},
	{"collective", "strategy", teamStrategies.Names()},
	{"collective", "agreement", agreements.Names()},
	{"collective", "detector", detectors.Names()},
	{"samplesort", "strategy", teamStrategies.Names()},
	{"tpch-q3", "strategy", teamStrategies.Names()},
	{"calibration", "", nil},
}

// The table of docs/guarantees.md is what the protocols say.
func TestTheTableOfPromisesIsWhatProtocolsSay(t *testing.T) {
	requireTable(t, "<!-- The table is written by: go test ./scenarios/catalog -run TableOfPromises -update -->\n", promiseTable(t))
}

// requireTable compares a table with the one that docs/guarantees.md has after a line, or writes it there.
func requireTable(t *testing.T, begin, want string) {
	const (
		document = "../../docs/guarantees.md"
		end      = "<!-- End of the table. -->\n"
	)
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), begin)
	require.True(t, found, "no line %s", begin)
	table, after, found := strings.Cut(rest, end)
	require.True(t, found, "no line %s", end)
	if *update {
		require.NoError(t, os.WriteFile(document, []byte(before+begin+want+end+after), 0o666))
		return
	}
	require.Equal(t, strings.Split(want, "\n"), strings.Split(table, "\n"), "run with -update to rewrite the table")
}

// A protocol that the tables leave out would promise in secret.
func TestTheTablesOfPromisesHaveEveryProtocol(t *testing.T) {
	for _, families := range []lineFamilies{tabulated, strained} {
		var named []string
		for _, family := range families {
			named = append(named, family.protocol())
		}
		require.Equal(t, All().Names(), slices.Compact(named))
	}
}

// promiseTable is the table. Promises that the same lines make on the same terms share a row.
func promiseTable(t *testing.T) string {
	var order []string // lines and terms, as they come first
	names := make(map[string][]string)
	for _, p := range promisesOfLines(t) {
		row := strings.Join(tabulated.titles(p.lines), "<br>") + " | %s | " + p.terms
		if names[row] == nil {
			order = append(order, row)
		}
		names[row] = append(names[row], p.name)
	}
	var b strings.Builder
	b.WriteString("| lines | promise | if | claims to stand |\n|---|---|---|---|\n")
	for _, row := range order {
		fmt.Fprintf(&b, "| "+row+" |\n", strings.Join(names[row], "<br>"))
	}
	return b.String()
}

// promised is a promise in words, and who makes it.
type promised struct {
	name, terms string
	lines       []oneLine
}

// oneLine is one of the lines of a family.
type oneLine struct {
	family int // which of its families
	value  string
}

// promisesOfLines are all promises, each once, in the order of the lines that make it first.
func promisesOfLines(t *testing.T) (all []promised) {
	for i, family := range tabulated {
		for _, value := range family.all() {
			for _, p := range mustParse(t, family.line(value)).Promises() {
				name, terms := promiseName(p), promiseTerms(p)
				place := slices.IndexFunc(all, func(p promised) bool { return p.name == name && p.terms == terms })
				if place < 0 {
					place = len(all)
					all = append(all, promised{name: name, terms: terms})
				}
				all[place].lines = append(all[place].lines, oneLine{i, value})
			}
		}
	}
	return all
}

// titles name lines in few words, protocol by protocol: one of which all lines are there goes by its name only.
func (f lineFamilies) titles(lines []oneLine) (all []string) {
	for _, protocol := range All().Names() {
		own, missing := f.titlesOf(protocol, lines)
		if missing == 0 {
			own = []string{f.nameOf(protocol)}
		}
		all = append(all, own...)
	}
	return all
}

// nameOf is what a protocol goes by: its name, or its line if only one is tabulated.
func (f lineFamilies) nameOf(protocol string) string {
	own := slices.DeleteFunc(slices.Clone(f), func(f lineFamily) bool { return f.protocol() != protocol })
	if len(own) == 1 && own[0].key == "" {
		return own[0].title(nil)
	}
	return "`" + protocol + "`"
}

// titlesOf names those lines that are of one protocol, and says how many others of it are tabulated.
func (f lineFamilies) titlesOf(protocol string, lines []oneLine) (own []string, missing int) {
	for i, family := range f {
		if family.protocol() != protocol {
			continue
		}
		var values []string
		for _, l := range lines {
			if l.family == i {
				values = append(values, l.value)
			}
		}
		missing += len(family.all()) - len(values)
		if len(values) > 0 {
			own = append(own, family.title(values))
		}
	}
	return own, missing
}

func (f lineFamily) protocol() string { return strings.Fields(f.words)[0] }

// all are the values of the key; one that does not matter if there is no key.
func (f lineFamily) all() []string {
	if f.key == "" {
		return []string{""}
	}
	return f.values
}

// isWhole reports whether the family has all values of its key.
func (f lineFamily) isWhole() bool {
	protocol, _ := All().Lookup(f.protocol())
	key, _ := protocol.AllKeys().Lookup(f.key)
	return len(f.values) == len(strings.Split(strings.ReplaceAll(key.Values, " or ", ", "), ", "))
}

// line is the line with one of the values.
func (f lineFamily) line(value string) string {
	if f.key == "" {
		return f.words
	}
	return f.words + " " + f.key + "=" + value
}

// title names the lines with some of the values.
func (f lineFamily) title(values []string) string {
	switch {
	case f.key == "":
		return "`" + f.words + "`"
	case len(values) == len(f.values) && f.isWhole():
		return "`" + f.words + "`, any " + f.key
	}
	return "`" + f.words + "`, " + f.key + " " + line.OneOf(values)
}

// promiseName is the name with its marks.
func promiseName(p guarantee.Promise) string {
	name := p.Name()
	if p.IsSafety() {
		name += " (s)"
	}
	if p.NeedsEvents() {
		name += " (e)"
	}
	return name
}

// promiseTerms are the last two columns.
func promiseTerms(p guarantee.Promise) string {
	needs, stands := p.Terms()
	if place := slices.Index(needs, guarantee.Undisturbed.Says); place >= 0 {
		needs[place] = "undisturbed"
	}
	if len(needs) == 0 {
		needs = []string{"always"}
	}
	return strings.Join(needs, "; ") + " | " + strings.Join(stands, "; ")
}
