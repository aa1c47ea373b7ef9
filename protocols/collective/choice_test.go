package collective

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

// Backups cost two sends on each level and a message, and three sends a level and a message more if
// somebody fails. Then they save two combinations, divided by the number of levels.
func TestBackupsAreWorthwhileIfTheyCostLess(t *testing.T) {
	fast := clock.LogP{Ranks: 8, Latency: 2, Overhead: 1} // a message takes 4 ticks, a send 1
	gap := clock.LogP{Ranks: 8, Latency: 2, Overhead: 1, Gap: 10}
	perByte := clock.LogP{Ranks: 8, Latency: 2, Overhead: 1, PerByte: 1}
	for _, c := range []struct {
		name  string
		tasks int
		costs Costs
		want  bool
	}{
		{"nobody fails", 8, Costs{Machine: fast, Combine: 1_000_000}, false},
		{"combining is free", 8, Costs{Machine: fast, Failure: 1}, false},
		{"somebody fails: 2*34/3 < 6+4 + 9+4", 8, Costs{Machine: fast, Combine: 34, Failure: 1}, false},
		{"somebody fails: 2*35/3 > 6+4 + 9+4", 8, Costs{Machine: fast, Combine: 35, Failure: 1}, true},
		{"two levels: 2*18/2 = 4+4 + 6+4", 4, Costs{Machine: fast, Combine: 18, Failure: 1}, false},
		{"two levels: 2*19/2 > 4+4 + 6+4", 4, Costs{Machine: fast, Combine: 19, Failure: 1}, true},
		{"one task in eight: (1-(7/8)^8)*(2*42/3-13) < 10", 8, Costs{Machine: fast, Combine: 42, Failure: 1. / 8}, false},
		{"one task in eight: (1-(7/8)^8)*(2*43/3-13) > 10", 8, Costs{Machine: fast, Combine: 43, Failure: 1. / 8}, true},
		{"sending is expensive: 2*237/3 = 60+4 + 90+4", 8, Costs{Machine: gap, Combine: 237, Failure: 1}, false},
		{"sending is expensive: 2*238/3 > 60+4 + 90+4", 8, Costs{Machine: gap, Combine: 238, Failure: 1}, true},
		{"long values: 2*286/3 < 6*25+28 + 9+4", 8, Costs{Machine: perByte, Bytes: 25, Combine: 286, Failure: 1}, false},
		{"long values: 2*287/3 > 6*25+28 + 9+4", 8, Costs{Machine: perByte, Bytes: 25, Combine: 287, Failure: 1}, true},
		{"no value is a byte", 8, Costs{Machine: perByte, Combine: 35, Failure: 1}, true},
		{"one task", 1, Costs{Machine: fast, Combine: 1, Failure: 1}, false},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, c.costs.worthwhile(c.tasks)) })
	}
}

// Ranks that differ would wait for each other; so all or none send backups. The size of values may
// differ between tasks, as the choice does not look at them.
func TestAllRanksMakeTheSameChoice(t *testing.T) {
	for _, c := range []struct {
		failure float64
		backups int // without failures
	}{{0, 0}, {0.5, 7}} {
		t.Run(fmt.Sprintf("failure=%v", c.failure), func(t *testing.T) {
			machine := simple
			machine.Ranks = 8
			options := Options{Backup: CheaperBackups, Costs: Costs{Machine: machine, Combine: 100, Failure: c.failure}}
			longest := func(a, b []byte) []byte { return append(a[:len(a):len(a)], b...) }
			for _, schedule := range []string{"none", "crash:0@step:iteration#3", "crash:0@step:iteration#2,crash:2@step:repair", "crash:4@step:agree#2"} {
				var result []byte
				r := trace(t, machine, options, schedule, func(team *Team) {
					got, err := Reduce(team, 0, Given(func(task int) []byte { return make([]byte, task) }), longest)
					if err != nil {
						panic(err)
					}
					if team.Does(0) {
						result = got
					}
				})
				require.Len(t, result, 28, schedule)
				backups := 0
				for _, s := range r.sends() {
					if s.content == backup && s.epoch == 0 {
						backups++
					}
				}
				if schedule == "none" {
					require.Equal(t, c.backups, backups)
				} else {
					require.Equal(t, c.backups > 0, backups > 0, schedule)
				}
			}
		})
	}
}
