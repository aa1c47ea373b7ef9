package house

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The program and the output that the README shows are those of Example, which is run.
func TestReadmeShowsTheExample(t *testing.T) {
	readme, err := os.ReadFile(root + "/README.md")
	require.NoError(t, err)
	example, err := os.ReadFile(root + "/example_test.go")
	require.NoError(t, err)
	_, body, _ := strings.Cut(string(example), "func Example() {\n")
	body, output, _ := strings.Cut(body, "\t// Output:\n")
	require.Contains(t, string(readme), "```go\n"+strings.ReplaceAll("\n"+body, "\n\t", "\n")[1:]+"```")
	output = strings.ReplaceAll(strings.TrimSuffix(output, "}\n"), "\t// ", "")
	require.Contains(t, string(readme), "```\n"+output+"```")
}
