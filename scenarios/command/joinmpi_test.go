//go:build mpi && linux

package command

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/shortlines"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// joined is what a run in a job says in JSON.
type joined struct {
	Processes int    `json:"processes"`
	Verdict   string `json:"verdict"`
	TooLate   bool   `json:"too_late"`
	Report    struct {
		Messages int `json:"messages"`
		Failed   []struct {
			Rank    int    `json:"rank"`
			Outcome string `json:"outcome"`
		} `json:"failed"`
	} `json:"report"`
}

// joinOf reads what a run in a job has left behind. It was too late at worst, as processors may be busy.
func joinOf(t *testing.T, r result) (j joined) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(r.stdout), &j), "%s\n%s", r.stdout, r.stderr)
	require.NotEqual(t, "broken", j.Verdict, "%s\n%s", r.stdout, r.stderr)
	require.Positive(t, j.Report.Messages)
	return j
}

// joining is the command line for a protocol.
func joining(protocol string, words ...string) []string {
	return append(append([]string{"join", protocol}, append(strings.Fields(shortlines.Words[protocol]), words...)...), "--json")
}

// The registry decides what is run, so that a new protocol is run, too.
func TestMPIJobRunsEveryProtocolOnItsProcesses(t *testing.T) {
	for _, p := range catalog.All() {
		t.Run(p.Name, func(t *testing.T) {
			j := joinOf(t, underMPI(t, 8, joining(p.Name)...))
			require.Equal(t, 8, j.Processes)
			require.Empty(t, j.Report.Failed)
		})
	}
}

// With more ranks than processes, only ranks fail, by whatever library.
func TestMPIJobHasSeveralRanksInAProcess(t *testing.T) {
	for _, words := range [][]string{
		{"broadcast", "P=40", "start=overlapped", "faults=crash:3@send1,hang:7,crash:22@t4"},
		{"collective", "P=24", "op=allreduce", "detector=heartbeat", "faults=crash:5@t9,hang:11@t12"},
		{"gossip", "P=30", "faults=crash:~3,late:4@send1+9,twice:6@send2+3"},
	} {
		j := joinOf(t, underMPI(t, 3, joining(words[0], words[1:]...)...))
		require.Equal(t, 3, j.Processes)
		require.Len(t, j.Report.Failed, strings.Count(strings.Join(words, ","), "crash:")+strings.Count(strings.Join(words, ","), "hang:")+2*strings.Count(strings.Join(words, ","), "crash:~3"), words)
	}
}

// Messages may be larger than what MPI sends without asking, in both directions at once.
func TestMPIJobCarriesLargeMessages(t *testing.T) {
	j := joinOf(t, underMPI(t, 4, joining("collective", "op=alltoall", "n=300000", "tick=20ms")...))
	require.Empty(t, j.Report.Failed)
}

func TestMPIJobRefusesCrashesThatWouldEndIt(t *testing.T) {
	r := underMPI(t, 3, "join", "broadcast", "faults=crash:1@send1")
	require.Equal(t, statusInput, r.status)
	require.Equal(t, 1, strings.Count(r.stderr, "crash:1@send1: "+endsJob), r.stderr)
	require.Empty(t, r.stdout)
}
