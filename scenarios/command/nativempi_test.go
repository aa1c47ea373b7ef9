//go:build mpi && linux

package command

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// All operations that lines have beside them bring right results, and are as many as those of ours.
func TestMPIJobRunsLinesBesideTheLibrarysOwn(t *testing.T) {
	for _, words := range []string{
		"broadcast root=2 bytes=30000 correction=none repeat=5 period=2ms",
		"broadcast P=12 start=overlapped faults=crash:3,hang:7",
		"reduce root=1 tick=2ms",
		"allreduce tick=2ms",
		"collective op=scatter n=500 root=1",
		"collective op=gather n=500",
		"collective op=alltoall n=2000",
		"collective op=allgather",
		"collective op=allreduce strategy=plain n=3",
	} {
		r := underMPI(t, 3, append(append([]string{"join"}, strings.Fields(words)...), "native=same", "--turns", "2", "--json")...)
		var o struct {
			Processes          int
			Library, Operation string
			Ours               struct{ Calls int } `json:"ours_ns"`
			Native             struct {
				Calls  int
				Lowest float64
			} `json:"native_ns"`
		}
		require.NoError(t, json.Unmarshal([]byte(r.stdout), &o), "%s: %s%s", words, r.stdout, r.stderr)
		require.Contains(t, []int{statusHeld, statusUnjudged}, r.status, "%s: %s", words, r.stderr)
		require.Equal(t, 3, o.Processes)
		require.Contains(t, strings.ReplaceAll(o.Library, " ", ""), map[bool]string{true: "MPICH", false: "OpenMPI"}[mpirun[0] == "mpirun.mpich"])
		calls := 2
		if strings.Contains(words, "repeat=5") {
			calls = 10
		}
		require.Equal(t, calls, o.Ours.Calls, words)
		require.Equal(t, calls, o.Native.Calls, words)
		require.Positive(t, o.Native.Lowest, words)
	}
}
