package linearizable_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/history"
	"github.com/mangrove-emu/mangrove/check/linearizable"
	"github.com/mangrove-emu/mangrove/clock"
)

// How long a verdict takes: of a history that is linearizable, and of the same one with a result that is not, which has to be explained.
func BenchmarkCheck(b *testing.B) {
	for _, size := range []struct{ clients, operations, names int }{{4, 30, 3}} {
		good := rapid.Custom(func(t *rapid.T) []operation { return execute(t, size.clients, size.operations, size.names, 5) }).Example(3)
		bad := append([]operation{}, good...)
		for i := range bad {
			if last := &bad[len(bad)-1-i]; !last.Pending() && !last.In.write {
				last.Out = 99
				break
			}
		}
		for name, all := range map[string][]operation{"held": good, "broken": bad} {
			benchmark(b, name, all, linearizable.Check(history.Of(all...), registers))
		}
	}
}

// The same of a long history of one register, whose last read is wrong: by either rule.
func BenchmarkLong(b *testing.B) {
	var all []operation
	const clients = 4
	for i := range 999 {
		now := clock.Time(2 * i)
		if i%3 == 0 {
			all = append(all, write(i%clients, now, now+2*clients-1, "x", i+1))
		} else {
			all = append(all, read(i%clients, now, now+2*clients-1, "x", i-i%3+1))
		}
	}
	for name, last := range map[string]int{"held": 997, "broken": 0} {
		all := append(all[:999:999], read(0, 3000, 3001, "x", last))
		h := history.Of(all...)
		benchmark(b, name, all, linearizable.Check(h, registers), history.SequentiallyConsistent(h, registers))
	}
}

func benchmark(b *testing.B, name string, all []operation, guarantees ...guarantee.Guarantee) {
	for _, g := range guarantees {
		b.Run(fmt.Sprintf("%s/operations=%d/%s", strings.ReplaceAll(g.Name(), " ", "-"), len(all), name), func(b *testing.B) {
			for b.Loop() {
				require.Equal(b, name == "held", g.Check(guarantee.Run{}).Value == guarantee.Held)
			}
		})
	}
}
