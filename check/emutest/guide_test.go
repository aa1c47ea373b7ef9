package emutest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The guide is followed to the letter, in an empty folder: its files are written, its commands
// run, and what these print must be what the guide shows, but for how long it took.
func TestGuideIsTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the module of the guide")
	}
	g := newReader(t)
	guide := g.read(t, filepath.Join(g.root, "docs", "testing-your-protocol.md"))
	for _, block := range fenced.FindAllStringSubmatch(guide, -1) {
		g.follow(t, block[1], block[2], block[3])
	}
	require.Equal(t, 7, g.commands)
	g.serverWithoutLinger(t, guide)
	for _, file := range []string{"commit.go", "commit_test.go", "conversation.go", "conversation_test.go"} { // who follows the guide ends with the example
		require.Equal(t, g.read(t, filepath.Join(g.root, "examples", "commit", file)), g.read(t, filepath.Join(g.folder, file)))
	}
}

// serverWithoutLinger sees what the guide says of a server that waits in Recv.
func (g *reader) serverWithoutLinger(t *testing.T, guide string) {
	g.replace(t, "counter/counter.go", regexp.MustCompile(`p\.Linger`), "p.Recv")
	deadlock := regexp.MustCompile("rank 0 waiting[^`]*").FindString(guide)
	require.NotEmpty(t, deadlock)
	output := g.run(t, "go test ./counter")
	require.Contains(t, output, "broken: no deadlock")
	require.Contains(t, output, deadlock)
}

// fenced matches a block: the name of its file if the line before says so, language, content.
var fenced = regexp.MustCompile("(?m)(?:^`(\\S+)`:\n\n)?^```(\\w*)\n((?s:.*?))^```$")

// reader is somebody who follows the guide.
type reader struct {
	root     string // of this module
	folder   string
	commands int // run so far
}

func newReader(t *testing.T) *reader {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	g := &reader{root: root, folder: t.TempDir()}
	// In the place of go mod init and go get, which would test what is published.
	g.write(t, "go.mod", "module example.com/commit\n\ngo 1.26\n\n"+
		"require github.com/mangrove-emu/mangrove v0.0.0\n\n"+
		"replace github.com/mangrove-emu/mangrove => "+root+"\n")
	g.write(t, "go.sum", g.read(t, filepath.Join(root, "go.sum"))) // so that nobody asks a network for checksums
	return g
}

// follow does what a block asks for.
func (g *reader) follow(t *testing.T, file, language, content string) {
	switch {
	case file != "":
		g.write(t, file, content)
	case language == "go" && strings.Contains(content, "func "):
		g.replace(t, "commit.go", function(content), content)
	case language == "go": // a field of the test
		key, _, _ := strings.Cut(content, ":")
		g.replace(t, "commit_test.go", regexp.MustCompile("(?m)^"+key+":.*\n"), content)
	case language == "console" && strings.HasPrefix(content, "$ go test"):
		command, output, _ := strings.Cut(strings.TrimPrefix(content, "$ "), "\n")
		require.Equal(t, timeless(output), timeless(g.run(t, command)), command)
		g.commands++
	}
}

// function matches all of the function that the text defines, with its comment.
func function(text string) *regexp.Regexp {
	name := regexp.MustCompile(`func (\w+)`).FindStringSubmatch(text)[1]
	return regexp.MustCompile("(?ms)^// " + name + " [^\n]*\nfunc " + name + `\(.*?^}` + "\n")
}

func (g *reader) write(t *testing.T, file, content string) {
	path := filepath.Join(g.folder, file)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
}

// replace replaces the one place of a file that matches.
func (g *reader) replace(t *testing.T, file string, old *regexp.Regexp, content string) {
	text := g.read(t, filepath.Join(g.folder, file))
	require.Len(t, old.FindAllString(text, -1), 1, "%v in %s", old, file)
	g.write(t, file, old.ReplaceAllLiteralString(text, content))
}

func (g *reader) read(t *testing.T, path string) string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// run runs a command as a shell does, and returns all that it prints. It may fail.
func (g *reader) run(t *testing.T, command string) string {
	words := strings.Fields(strings.ReplaceAll(command, "'", ""))
	cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
	cmd.Dir = g.folder
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off")
	output, _ := cmd.CombinedOutput()
	return string(output)
}

// timeless replaces how long something took.
func timeless(text string) string {
	return regexp.MustCompile(`\d+\.\d+s|\(cached\)`).ReplaceAllString(text, "0.00s")
}
