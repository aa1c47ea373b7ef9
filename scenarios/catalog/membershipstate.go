package catalog

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// membershipState are the records of a service. The guarantees look at whatever views are in
// them, so a record that is missing breaks none.
func membershipState(service *membership.Service) scenarios.State {
	ranks := service.Group().Ranks
	return scenarios.PerRank[membership.Record]{
		Ranks:  ranks,
		Forget: service.Reset,
		Left:   func(rank int) *membership.Record { return &service.Records()[rank] },
		Take: func(rank int, left *membership.Record) error {
			if err := checkPassage(&left.Last, ranks); err != nil {
				return err
			}
			service.Records()[rank] = *left
			return nil
		},
	}
}

// checkPassage refuses ranks that do not exist: the path of a view change is followed along them.
func checkPassage(p *membership.Passage, ranks int) error {
	for _, rank := range []int{p.Parent, p.Slowest} {
		if rank < -1 || rank >= ranks {
			return fmt.Errorf("a view change with rank %d, want -1 to %d", rank, ranks-1)
		}
	}
	return nil
}
