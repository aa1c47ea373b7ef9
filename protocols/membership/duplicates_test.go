package membership_test

import (
	"fmt"
	"testing"

	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// A view change that arrives twice is acknowledged when those below have it: here one of them gets it late, and must have it before
// the root takes the view for stable.
func TestAViewChangeThatArrivesTwiceIsNotAcknowledgedTooSoon(t *testing.T) {
	logp := papers(5)
	o := usual(logp, 2)
	o.Every, o.Until = 50, 300
	for doubled := 1; doubled <= 8; doubled++ {
		for late := 1; late <= 8; late++ {
			for _, delay := range []int{3, 9} {
				run(t, logp, o, fmt.Sprintf("crash:2@t1,twice:0@send%d+1,late:1@send%d+%d", doubled, late, delay)).hold(t)
			}
		}
	}
}

// A request to become a member that arrives twice, however late, does not let its rank in once more.
func TestARequestThatArrivesTwiceIsGrantedOnce(t *testing.T) {
	logp := papers(4)
	o := usual(logp, 2)
	o.Members, o.Until, o.Joins = 3, 600, []membership.Join{{Rank: 3, At: 50}}
	for after := 1; after < 100; after++ {
		run(t, logp, o, fmt.Sprintf("twice:3@send1+%d", after)).hold(t)
	}
}
