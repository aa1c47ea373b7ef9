package membership_test

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// Seven ranks ask their successors how they are. Rank 1 fails, and comes back later.
func ExampleService() {
	machine, _ := emu.New(emu.Config{LogP: clock.LogP{Ranks: 7, Latency: 2, Overhead: 1}})
	service, _ := membership.New(7, membership.Options{
		Children: 2, Delivery: 4, Spacing: 1, Compute: 3,
		Inquiry: membership.Successor, Every: 100, Until: 2000,
	})
	machine.Run(context.Background(), service.Program(), emu.Options{Faults: faults.MustParse("crash:1@t20,rejoin:1@t900")})
	for _, v := range service.Records()[0].Installed {
		fmt.Println(v.At, membership.KindName(v.Kind), membership.View{Group: service.Group(), Changes: v.View})
	}
	// Output:
	// 164 FAILED_NODE 0+2-6 (6 members, 1 change)
	// 908 ALIVE_NODE_JOIN 0-6 (7 members, 2 changes)
}
