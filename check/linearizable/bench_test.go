package linearizable_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/history"
	"github.com/mangrove-emu/mangrove/check/linearizable"
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
			b.Run(fmt.Sprintf("operations=%d/%s", len(all), name), func(b *testing.B) {
				g := linearizable.Check(history.Of(all...), registers)
				for b.Loop() {
					require.Equal(b, name == "held", g.Check(guarantee.Run{}).Value == guarantee.Held)
				}
			})
		}
	}
}
