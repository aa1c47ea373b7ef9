package catalog

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
)

// partitions splits the live ranks of a service into those between which no message passes at its end.
// It says no if the cuts leave no clear groups: two ranks of one group that cannot talk to each
// other, though both can talk to a third.
func partitions(rep *report.Report, s *membership.Service) (all []*partition, clear bool) {
	cuts := lastingCuts(rep, s.Options().Until)
	places := make(map[string]int) // of the groups, by the sides that their first ranks are on
	for _, rank := range liveMembers(rep, s) {
		sides := sidesOf(cuts, rank)
		place, known := places[sides]
		if !known {
			place = groupOf(places, sides, len(all))
			places[sides] = place
		}
		if place == len(all) {
			all = append(all, &partition{})
		}
		all[place].ranks = append(all[place].ranks, rank)
	}
	for _, p := range all {
		p.unrest = unrest(rep, s, p.ranks)
	}
	return all, areClear(places)
}

// liveMembers lists who should be a member at the end, if it has not aborted.
func liveMembers(rep *report.Report, s *membership.Service) (live []int) {
	o := s.Options()
	joins := make(map[int]bool)
	for _, j := range o.Joins {
		joins[j.Rank] = j.At < o.Until
	}
	late := make(map[int]bool)
	for _, r := range rep.Rejoined {
		late[r.Rank] = r.Time >= o.Until
	}
	for rank := range rep.Live() {
		if !late[rank] && (rank < o.Members || joins[rank] || s.Records()[rank].Member) {
			live = append(live, rank)
		}
	}
	return live
}

// mended is a mend that took effect, if there is one: who had been cut off before finds others with whom it has no view in common. The
// thesis has partitions go their own ways (section 3.1.2), and does not say how they come together again.
func mended(rep *report.Report) string {
	cut := false
	for f := range rep.Fired() {
		cut = cut || f.Kind == faults.Cut
	}
	for f := range rep.Fired() {
		if cut && f.Kind == faults.Mend {
			return f.String()
		}
	}
	return ""
}

// oneWay is a cut before the end of the service that is one way only, if there is one. Who hears others that do not hear it is in no partition.
func oneWay(rep *report.Report, until clock.Time) string {
	for f := range rep.Fired() {
		if f.Kind == faults.Cut && f.OneWay && f.At.Time < until {
			return f.String()
		}
	}
	return ""
}

// lastingCuts returns the sides of the cuts that came before the end of the service.
func lastingCuts(rep *report.Report, until clock.Time) (cuts [][]uint8) {
	for _, f := range rep.Faults {
		if f.Kind == faults.Cut && f.At.Time < until {
			cuts = append(cuts, f.Sides(len(rep.Ranks)))
		}
	}
	return cuts
}

// sidesOf is on which sides of all cuts a rank is. Ranks with the same sides are in the same
// position; there are few different ones.
func sidesOf(cuts [][]uint8, rank int) string {
	sides := make([]byte, len(cuts))
	for i := range cuts {
		sides[i] = cuts[i][rank]
	}
	return string(sides)
}

// groupOf is the first group whose ranks can talk to those on these sides, or a new one.
func groupOf(places map[string]int, sides string, next int) int {
	for other, place := range places {
		if connected(sides, other) {
			next = min(next, place)
		}
	}
	return next
}

// connected reports whether ranks on these sides can talk to each other.
func connected(a, b string) bool {
	for i := range len(a) {
		if a[i] != b[i] && a[i] != 0 && b[i] != 0 {
			return false
		}
	}
	return true
}

// areClear reports whether all within a group are connected, and nobody with another group.
func areClear(places map[string]int) bool {
	for a, place := range places {
		for b, other := range places {
			if connected(a, b) != (place == other) {
				return false
			}
		}
	}
	return true
}
