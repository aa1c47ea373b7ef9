package collective

import (
	"fmt"
	"testing"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/stretchr/testify/require"
)

// A backup costs the spacing of two sends on every level; no backup costs half of the levels again
// for each failure that is expected, a message and a combination each.
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
		{"8p*4/2 = 1", 8, Costs{Machine: fast, Failure: 1. / 16}, false},
		{"8p*4/2 > 1", 8, Costs{Machine: fast, Failure: 1.1 / 16}, true},
		{"half the tasks", 4, Costs{Machine: fast, Failure: 1.1 / 16}, false},
		{"combining is expensive: 8p*(4+1000)/2 > 1", 8, Costs{Machine: fast, Combine: 1000, Failure: 1. / 4000}, true},
		{"and less often: 8p*(4+1000)/2 < 1", 8, Costs{Machine: fast, Combine: 1000, Failure: 1. / 4100}, false},
		{"sending is expensive: 8p*4/2 < 10", 8, Costs{Machine: gap, Failure: 0.6}, false},
		{"but not too expensive: 8p*4/2 > 10", 8, Costs{Machine: gap, Failure: 0.65}, true},
		{"long values: 8p*(4+999)/2 < 1+999", 8, Costs{Machine: perByte, Bytes: 1000, Failure: 0.249}, false},
		{"long values: 8p*(4+999)/2 > 1+999", 8, Costs{Machine: perByte, Bytes: 1000, Failure: 0.25}, true},
		{"no value is a byte: 8p*4/2 > 1", 8, Costs{Machine: perByte, Bytes: 0, Failure: 1.1 / 16}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, c.costs.worthwhile(c.tasks, c.costs.Bytes))
		})
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
			options := Options{Backup: CheaperBackups, Costs: Costs{Machine: machine, Failure: c.failure}}
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
