package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// jobLines are what processes of a job run together: every protocol, kind of fault, detector, network and verdict, and every form of what is told.
// Where workers are told their number is said, as mpirun may leave a process fewer processors than it has alone.
var jobLines = []string{
	"broadcast P=1 --json",
	"broadcast P=3 faults=crash:1@send1 --check --workers 2",
	"broadcast P=5000 faults=crash:1% --json",
	"broadcast P=70 start=overlapped faults=crash:~5@send2,hang:~2@t6 --trace -",
	"broadcast P=24 correction=none faults=crash:3@send2,hang:9@recv1 --json",                                         // broken
	"broadcast P=16 numbering=in-order faults=crash:4@t0,crash:3@after-send1,crash:8@after-send5",                     // broken
	"broadcast P=24 tree=kary k=3 correction=ack faults=crash:3@before-send1,lose:7@send1",                            // a deadlock
	"broadcast P=30 faults=crash:0@t0",                                                                                // not claimed
	"broadcast P=24 root=9 repeat=5 start=overlapped correction=optimized d=2 faults=crash:~3@send2,slow:~2x3 --json", // a series
	"broadcast P=64 network=torus:4x4x4 latency=100ns overhead=1us tick=100ns --trace -",
	"broadcast P=60 nodes=7 Lin=1 oin=1 o=2 correction=opportunistic d=4 start=overlapped faults=late:~4@send1+30 --json",
	"broadcast P=50 network=switch:1 start=overlapped jitter=exponential:3 faults=twice:0-20>*@t0..t40+9 --check --workers 2",
	"broadcast P=40 g=4 G=1 correction=failure-proof f=2 noise=random:40:7 faults=crash:~2@t9 --json --workers 1",
	"multitree P=32 trees=3 k=4 faults=crash:~2@send1 --json",
	"multitree P=17 root=3 links=unordered jitter=uniform:0..9 faults=hang:4@step:coloured,late:3@send1+40",
	"multitree P=9 trees=1 k=2 faults=crash:1 --json", // not claimed
	"gossip P=64 seed=5 faults=crash:7@step:correction,hang:3@send2 --json",
	"gossip P=300 variant=fcg f=1 seed=7 faults=crash:~1@t20 --check --workers 2",
	"gossip P=64 variant=ocg seed=5 faults=slow:2x6@send1,slow:2x2@t30 --trace -",
	"gossip P=64 variant=gos rounds=6 partners=fixed receive=many faults=lose:10%@send2",
	"big P=40 network=fattree:4x3 faults=cut:3|*@t4,mend:3|*@t20 --json",
	"big P=100 network=mesh:5x5x4:zyx faults=crash:~3@t9,twice:~5@send1+7 --check --workers 2",
	"bfb P=32 notices=hangs detect=60 faults=hang:5@recv1,crash:8@t14 --json",
	"bfb P=32 faults=hang:5@recv1", // nobody notices
	"bfb P=24 receive=many faults=crash:0@t5 --trace -",
	"reduce P=40 f=2 faults=crash:20@send1,hang:21@t3 --json",
	"reduce P=40 f=2 tree=lame k=3 root=39 faults=late:5@send1+60,crash:~3@t7",
	"allreduce P=40 f=2 correction=failure-proof faults=slow:4x7@send1,crash:9@step:exchanged --json",
	"allreduce P=30 tree=optimal start=overlapped faults=crash:~1@t7 --check --workers 2",
	"membership P=16 every=100 until=4000 faults=crash:5@t100,rejoin:5@t900 --json",
	"membership P=12 minority=abort every=100 until=4000 faults=cut:0-4|5-11@t200",
	"membership P=12 inquire=random seed=3 every=100 until=3000 faults=cut:0-4>5-11@t200,mend:0-4|5-11@t900 --json",
	"membership P=40 network=switch:1 every=150 until=2500 faults=crash:5%@t90,hang:3@t300 --check --workers 2",
	"membership P=8 members=4 join=4@t80,6@t300 ask=7:0@t500 every=60 until=2000 faults=crash:0@t90,rejoin:0@t990 --trace -",
	"membership P=6 every=60 timeout=7 until=3000 faults=slow:3x16@t60,slow:3x2@t600 --json",
	"ulfm P=16 calls=2 agreement=era faults=crash:0@send2,crash:5@recv1 --json",
	"ulfm P=16 calls=3 agreement=rounds detector=delayed faults=crash:~4@t9",
	"ulfm op=shrink P=30 agreement=openmpi detector=uneven spread=20 seed=7 faults=crash:1@after-send1,crash:~3@t5 --json",
	"ulfm op=shrink P=9 agreement=mpich wait=9 faults=crash:0@t0 --trace -",
	"ulfm op=revoke P=40 root=4 revoke=flooding detector=heartbeat faults=crash:4@after-send2,hang:5@recv1 --check --workers 2",
	"ulfm op=agree P=12 detector=perfect faults=lose:3@send1,crash:7@t9", // a deadlock
	"collective op=broadcast P=12 detector=heartbeat faults=hang:3@t20,slow:1x3@send1 --json",
	"collective op=reduce P=20 backup=all combine=7 faults=crash:0@step:exchange --cost",
	"collective op=allreduce P=64 faults=crash:0@step:exchange,crash:1@step:agree#2 --check --workers 2",
	"collective op=gather P=12 detector=uneven spread=30 faults=hang:4@t20,crash:8@step:agree --json",
	"collective op=scatter P=12 G=1 n=20 strategy=optimistic detector=delayed faults=crash:0@after-send3",
	"collective op=alltoallv P=9 n=3 detector=wrong faults=slow:3x16@t6 --json",
	"collective op=barrier P=10 strategy=restart restart=20 faults=crash:2@t30 --trace -",
	"collective op=alltoall P=8 strategy=respawn faults=crash:3@t20,rejoin:3@t60 --json",
	"collective op=allgather strategy=plain P=12 faults=crash:3@t9 --json",
	"samplesort n=300 P=9 faults=crash:1@step:gather,crash:0@step:broadcast,crash:2@step:alltoall,crash:3@step:alltoallv --json",
	"samplesort n=40 P=7 detector=heartbeat strategy=respawn faults=hang:2@t60,rejoin:2@t200",
	"samplesort n=300 P=2 jitter=uniform:0..5 faults=crash:1@step:alltoallv --check --workers 2",
	"tpch-q3 P=9 sf=0.0001 faults=crash:1@step:gather,crash:0@step:broadcast,crash:2@step:alltoallv,crash:3@step:reduce --json",
	"tpch-q3 P=8 sf=0.001 strategy=respawn faults=crash:3@t30,rejoin:3@t90",
	"tpch-q3 P=4 sf=0.0001 strategy=optimistic faults=hang:0@step:broadcast --trace -",
	"calibration P=4 --json",
	"calibration P=6 rounds=20 L=30 o=4 g=6 G=2 noise=100:9 faults=slow:1x2@t500",
	"calibration P=2 rounds=5 crowd=0 faults=crash:1@step:bursts --json",
	"calibration P=3 rounds=4 jitter=table:0x90,5x9,200x1 faults=twice:0@send3+20,lose:1@send9 --check --workers 2",
}

// jobArgs is the command of a line.
func jobArgs(words string) []string { return append([]string{"run"}, strings.Fields(words)...) }

// Processes of a job say of these lines what one says alone, as far as that can be seen in one process.
func TestProcessesOfAJobSayWhatOneSaysOfLines(t *testing.T) {
	for _, words := range jobLines {
		args := jobArgs(words)
		alone := mangroveWith(t.Context(), catalog.All(), args...)
		for _, processes := range []int{2, 4} {
			together := inJob(t, processes, args...)
			require.Equal(t, withoutCost(alone.stdout), withoutCost(together[0].stdout), args)
			require.Equal(t, withoutCost(alone.stderr), withoutCost(together[0].stderr), args)
			require.Equal(t, alone.status, together[0].status, args)
		}
	}
}

// Jobs are tested with all that a run can have.
func TestJobLinesHaveEverythingThatARunCanHave(t *testing.T) {
	require.Len(t, jobLines, 60)
	has := func(parts ...string) {
		t.Helper()
		for _, part := range parts {
			assert.True(t, strings.Contains(" "+strings.Join(jobLines, " \n ")+" ", part), part)
		}
	}
	for _, p := range catalog.All() {
		has(" " + p.Name + " ")
		for _, key := range p.Keys {
			switch key.Name {
			case "detector", "strategy", "agreement", "revoke", "op", "variant":
				for _, value := range strings.Split(strings.ReplaceAll(key.Values, " or ", ", "), ", ") {
					if value != key.Default {
						has(key.Name + "=" + value + " ")
					}
				}
			}
		}
	}
	has("crash:", "hang:", "slow:", "rejoin:", "cut:", "mend:", "lose:", "late:", "twice:", "|", ">", "%", ":~", "@step:", "@recv", "@before-send", "@send", "@after-send")
	has("network=torus", "network=mesh", "network=fattree", "network=switch", "nodes=", "jitter=", "noise=", "links=unordered", "receive=many", "repeat=")
	has(" --json ", " --check ", " --trace - ", " --cost ")
	said := make(map[int]int)
	for _, words := range jobLines {
		r := mangroveWith(t.Context(), catalog.All(), jobArgs(words)...)
		said[r.status]++
		assert.NotEqual(t, statusInput, r.status, "%s: %s", words, r.stderr)
		text := r.stdout + r.stderr
		if strings.Contains(text, "\nwaiting ") || strings.Contains(text, `"deadlocks":[{`) {
			said[waiting]++
		}
	}
	for _, what := range []int{statusHeld, statusBroken, statusUnjudged, waiting} {
		assert.GreaterOrEqual(t, said[what], 3, what)
	}
}

// waiting counts runs with ranks that wait for ever, among the exit statuses.
const waiting = -1
