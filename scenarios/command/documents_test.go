package command

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/internal/thorough"
)

// listing is a command in a document and what stands below it.
type listing struct {
	document, command string
	lines             []string
}

// listings are those of all runs that documents show with what they print.
func listings(t *testing.T) (all []listing) {
	t.Helper()
	names, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	for _, name := range names {
		for _, block := range regexp.MustCompile("(?ms)^```\n(mangrove run [^\n]*)\n(.*?)^```$").FindAllStringSubmatch(contents(t, name), -1) {
			l := listing{document: filepath.Base(name), command: block[1]}
			for line := range strings.Lines(block[2]) {
				line = strings.TrimSpace(line)
				if line != "" && line != "..." && !strings.HasPrefix(line, "(") && !strings.HasPrefix(line, "mangrove ") {
					l.lines = append(l.lines, line)
				}
			}
			if len(l.lines) > 0 {
				all = append(all, l)
			}
		}
	}
	return all
}

// Every line of a listing is printed, in that order; others may be between them.
func TestListingsAreWhatTheirCommandsPrint(t *testing.T) {
	all := listings(t)
	require.GreaterOrEqual(t, len(all), 6)
	for _, l := range all {
		t.Run(l.document+"/"+l.command, func(t *testing.T) {
			t.Chdir(t.TempDir()) // some leave files
			got := mangrove(strings.Fields(strings.ReplaceAll(strings.TrimPrefix(l.command, "mangrove "), "'", ""))...)
			printed := strings.Split(got.stdout, "\n")
			for _, line := range l.lines {
				at := slices.IndexFunc(printed, func(p string) bool { return strings.TrimSpace(p) == line })
				require.GreaterOrEqual(t, at, 0, "%q is not in\n%s", line, got.stdout)
				printed = printed[at+1:]
			}
		})
	}
}

// measuredRun is what documents tell of a run: its messages, and when the last rank was done.
func measuredRun(t *testing.T, format string, values ...any) (messages, done int) {
	t.Helper()
	line := fmt.Sprintf(format, values...)
	got := mangrove(append([]string{"run"}, strings.Fields(line)...)...)
	number := func(pattern string) int {
		found := regexp.MustCompile(pattern).FindStringSubmatch(got.stdout)
		require.NotNil(t, found, "%s: %s%s", line, got.stdout, got.stderr)
		n, err := strconv.Atoi(found[1])
		require.NoError(t, err)
		return n
	}
	return number(`(?m)^messages +(\d+)$`), number(`(?m)^done +t=(\d+)`)
}

// requireTold makes sure that a document has these words, with commas in numbers.
func requireTold(t *testing.T, document, format string, values ...any) {
	t.Helper()
	for i, value := range values {
		values[i] = text.Thousands(fmt.Sprint(value))
	}
	told := fmt.Sprintf(format, values...)
	require.True(t, strings.Contains(contents(t, "../../docs/"+document), told), "%s does not have %q", document, told)
}

func TestTheDocumentOnULFMHasItsCosts(t *testing.T) {
	most := 64
	if thorough.All() {
		most = 1024
	}
	for ranks := 8; ranks <= most; ranks *= 2 {
		plain, plainDone := measuredRun(t, "collective P=%d strategy=plain", ranks)
		agree, agreeDone := measuredRun(t, "collective P=%d strategy=optimistic", ranks)
		revoke, revokeDone := measuredRun(t, "ulfm op=revoke P=%d", ranks)
		whole, wholeDone := measuredRun(t, "collective P=%d", ranks)
		half, halfDone := measuredRun(t, "collective P=%d faults=crash:%d@step:exchange", ranks, ranks/2)
		root, rootDone := measuredRun(t, "collective P=%d faults=crash:0@step:exchange", ranks)
		requireTold(t, "ulfm.md", "\n| %v | %v | %v | %v | %v | %v | %v | %v | %v | %v | %v |\n", ranks, agree-plain, agreeDone-plainDone, revoke, revokeDone,
			whole, wholeDone, half, halfDone, root, rootDone)
	}
}

func TestTheDocumentOnULFMHasWhatDetectorsTake(t *testing.T) {
	for _, detector := range []string{"perfect", "delayed", "heartbeat", "uneven"} {
		_, done := measuredRun(t, "collective P=8 detector=%s faults=crash:4@step:exchange", detector)
		told := regexp.MustCompile(fmt.Sprintf("(?m)^\\| `%s` \\| [^|]* \\| %d\\b", detector, done))
		require.True(t, told.MatchString(contents(t, "../../docs/ulfm.md")), "%s", told)
	}
	_, done := measuredRun(t, "collective P=8 detector=heartbeat faults=hang:4@step:exchange")
	requireTold(t, "ulfm.md", "; with `hang:4` %v |", done)
}

func TestTheDocumentOnCollectivesHasWhenBackupsPay(t *testing.T) {
	late := func(combine int, backup string) int {
		_, done := measuredRun(t, "collective op=reduce P=128 combine=%d backup=%s faults=crash:0@step:iteration#7", combine, backup)
		return done
	}
	require.Less(t, late(15, "none"), late(15, "all"))
	require.Greater(t, late(16, "none"), late(16, "all"))
	requireTold(t, "collectives.md", "for 15 the reduce takes %v ticks without and %v with backups, for 16 it takes %v and %v:",
		late(15, "none"), late(15, "all"), late(16, "none"), late(16, "all"))
}

// Means over who fails, half-way. The loop below the table takes minutes, if each of its runs is a command.
func TestTheDocumentOnCollectivesHasWhatBackupsSaveOnTheAverage(t *testing.T) {
	rows := [][2]int{{100, 378}, {140, 518}, {200, 728}, {400, 1428}}
	if !thorough.All() {
		rows = rows[2:3]
	}
	for _, row := range rows {
		mean := func(backup string) string {
			sum := 0
			for failed := range 128 {
				_, done := measuredRun(t, "collective op=reduce P=128 combine=%d backup=%s faults=crash:%d@t%d", row[0], backup, failed, row[1])
				sum += done
			}
			return strconv.FormatFloat(float64(sum)/128, 'f', 1, 64)
		}
		requireTold(t, "collectives.md", "\n| %v | "+strconv.Itoa(row[1])+" | %v | %v |\n", row[0], mean("none"), mean("all"))
	}
}

func TestDocumentsHaveHowMuchExplorationsCover(t *testing.T) {
	if !thorough.All() {
		t.Skip("a hundred thousand runs, which -thorough makes")
	}
	covered := func(args ...string) (cases, runs string) {
		got := mangrove(append([]string{"explore"}, args...)...)
		found := regexp.MustCompile(`(?s)\ncovered +(\d+) .*\nruns +(\d+),`).FindStringSubmatch(got.stdout)
		require.NotNil(t, found, got.stdout+got.stderr)
		return found[1], found[2]
	}
	schedules, _ := covered("collective", "op=reduce", "P=4", "faults<=2", "detector=heartbeat")
	requireTold(t, "collectives.md", "The explore line above covers %v schedules", schedules)
	cases, runs := covered("collective", "P=4", "op=allreduce", "faults<=1", "delays<=1")
	requireTold(t, "commands.md", "explore collective P=4 op=allreduce 'faults<=1' 'delays<=1'   # %v cases, %v runs\n", cases, runs)
}
