package house

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/paper"
)

// Tests that documents name exist.
func TestDocumentsNameTestsThatExist(t *testing.T) {
	defined := make(map[string]bool)
	for _, file := range goFiles(t) {
		text, err := os.ReadFile(path.Join(root, file))
		require.NoError(t, err)
		for _, match := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(text, -1) {
			defined[string(match[1])] = true
		}
	}
	named := 0
	for _, document := range documents(t) {
		text, err := os.ReadFile(document)
		require.NoError(t, err)
		for _, match := range regexp.MustCompile("`(Test[A-Z]\\w+)`").FindAllSubmatch(text, -1) {
			require.True(t, defined[string(match[1])], "%s names %s", document, match[1])
			named++
		}
	}
	require.NotZero(t, named)
}

// What documents link to, in this repository, is there.
func TestLinksOfDocumentsLeadSomewhere(t *testing.T) {
	followed := 0
	for _, document := range documents(t) {
		text, err := os.ReadFile(document)
		require.NoError(t, err)
		text = regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAll(text, nil)                          // Go has type parameters that look like links
		for _, match := range regexp.MustCompile(`\]\(([^)#:]+)[^):]*\)`).FindAllSubmatch(text, -1) { // with : it is elsewhere
			_, err := os.Stat(filepath.Join(filepath.Dir(document), string(match[1])))
			require.NoError(t, err, "%s links to %s", document, match[1])
			followed++
		}
	}
	require.NotZero(t, followed)
}

// Files and folders of this repository that documents name are there. A name may have a star; one that begins
// with a folder of the root is one of ours.
func TestDocumentsNameFilesThatExist(t *testing.T) {
	named := 0
	for _, document := range documents(t) {
		if base := filepath.Base(document); base == "CHANGELOG.md" || base == "CONTRIBUTING.md" {
			continue // what was, and what may be
		}
		text, err := os.ReadFile(document)
		require.NoError(t, err)
		for _, match := range regexp.MustCompile("`([a-z]+)(/[\\w.*/-]+)`").FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(path.Join(root, match[1])); err != nil {
				continue
			}
			found, err := filepath.Glob(path.Join(root, match[1]+match[2]))
			require.NoError(t, err)
			require.NotEmpty(t, found, "%s names %s%s", document, match[1], match[2])
			named++
		}
	}
	require.NotZero(t, named)
}

// documents are the pages at the root, in docs, and of the examples.
func documents(t *testing.T) (all []string) {
	t.Helper()
	for _, pattern := range []string{"/*.md", "/docs/*.md", "/examples/*.md", "/examples/*/*.md"} {
		found, err := filepath.Glob(root + pattern)
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		all = append(all, found...)
	}
	return all
}

// The list of the examples has each of them.
func TestTheListOfExamplesHasEachOfThem(t *testing.T) {
	list, err := os.ReadFile(root + "/examples/README.md")
	require.NoError(t, err)
	entries, err := os.ReadDir(root + "/examples")
	require.NoError(t, err)
	listed := 0
	for _, entry := range entries {
		if entry.IsDir() {
			require.Contains(t, string(list), "| ["+entry.Name()+"]("+entry.Name()+"/")
			listed++
		}
	}
	require.NotZero(t, listed)
}

// The tables in the documents are what their commands print today.
func TestTablesAreThoseOfTheirCommands(t *testing.T) {
	for name, file := range map[string]string{
		"paper-membership-bgl":    "docs/membership.md",
		"paper-collective-size":   "docs/collectives.md",
		"paper-collective-reduce": "docs/collectives.md",
		"paper-tpch-q3":           "docs/collectives.md",
	} {
		golden, err := os.ReadFile(root + "/scenarios/command/testdata/" + name + ".golden")
		require.NoError(t, err)
		document, err := os.ReadFile(path.Join(root, file))
		require.NoError(t, err)
		require.Contains(t, string(document), string(golden), "%s: %s", file, name)
	}
}

// Every experiment has its picture in the gallery and a row on the page about the papers, and every
// picture that documents show is there.
func TestTheGalleryHasEveryExperiment(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(path.Join(root, name))
		require.NoError(t, err)
		return string(text)
	}
	gallery, reproducing := read("docs/gallery.md"), read("docs/reproducing.md")
	for _, name := range paper.Names() {
		require.Contains(t, gallery, "`mangrove paper "+name, name)
		require.Contains(t, gallery, "(pictures/"+name+".svg)", name)
		require.Contains(t, reproducing, "`"+name+"`", name)
	}
	shown := make(map[string]bool)
	documents, err := filepath.Glob(root + "/docs/*.md")
	require.NoError(t, err)
	for _, document := range documents {
		for _, match := range regexp.MustCompile(`\]\((pictures/[^)]*)\)`).FindAllStringSubmatch(read("docs/"+filepath.Base(document)), -1) {
			require.FileExists(t, root+"/docs/"+match[1], document)
			shown[filepath.Base(match[1])] = true
		}
	}
	pictures, err := os.ReadDir(root + "/docs/pictures")
	require.NoError(t, err)
	for _, picture := range pictures {
		require.True(t, shown[picture.Name()], "no document shows %s", picture.Name())
	}
}
