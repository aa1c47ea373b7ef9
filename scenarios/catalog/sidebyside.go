package catalog

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// noneSideBySide is what minorities abort for, however long everything takes. A view goes on if all its members have
// gone on in it. Two of them are of one group if one has all the changes of the other: then it came after it. If neither has, they have
// no member in common, as the views of a rank follow on each other, and each is of a group that takes itself for the only one.
func noneSideBySide(s *membership.Service) guarantee.Guarantee {
	check := guarantee.VerdictFunc("no two groups go on side by side", false, func(guarantee.Run) guarantee.Verdict {
		views := goingOn(s)
		for i := 1; i < len(views); i++ {
			if a, b := views[i-1], views[i]; !b.Includes(a) {
				return guarantee.Verdict{Evidence: fmt.Sprintf("all members of %s go on, and all of %s", describe(s, a), describe(s, b))}
			}
		}
		return counted(len(views), text.Count(len(views), "view")+" in which all members go on")
	})
	return guarantee.Promise{Guarantee: check, Premises: premises{oneGroup(s)}, Safety: true}
}

// goingOn lists the views in which all members have gone on, by how much has changed.
func goingOn(s *membership.Service) (views []membership.Changes) {
	members := make(map[membership.Changes]int)
	for rank := range s.Records() {
		for _, v := range s.Records()[rank].Installed {
			if v.GoesOn {
				members[v.View]++
			}
		}
	}
	for view, n := range members {
		if n == (membership.View{Group: s.Group(), Changes: view}).Size() {
			views = append(views, view)
		}
	}
	slices.SortFunc(views, func(a, b membership.Changes) int { return cmp.Or(a.Total()-b.Total(), cmp.Compare(a, b)) })
	return views
}
