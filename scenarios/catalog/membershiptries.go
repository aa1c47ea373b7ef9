package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// membersTried are all ranks, or all but the last one or two.
func membersTried(s line.Settings) []string {
	ranks := s.Int("P")
	all := []string{"auto"}
	for n := ranks - 1; n >= max(1, ranks-2); n-- {
		all = append(all, strconv.Itoa(n))
	}
	return all
}

// timeoutsTried are long enough, but for a few: with others little is promised, and a run that is not judged
// finds little.
func timeoutsTried(line.Settings) []string {
	return slices.Concat(slices.Repeat([]string{"auto"}, 61), []string{"7", "20", "60"})
}

// joinsTried are times at which the other ranks become members.
func joinsTried(s line.Settings) []string {
	if isAuto(s, "members") {
		return nil
	}
	all := []string{"none"}
	for _, times := range [][2]int{{0, 0}, {9, 30}, {70, 70}, {150, 40}, {300, 500}} {
		var list []string
		for rank := s.Int("members"); rank < s.Int("P"); rank++ {
			list = append(list, fmt.Sprintf("%d@t%d", rank, times[rank-s.Int("members")]))
		}
		all = append(all, strings.Join(list, ","))
	}
	return all
}

// questionsTried are asked if ranks ask nobody by themselves.
func questionsTried(s line.Settings) []string {
	if inquiries.Of(s, "inquire") != membership.Nobody {
		return nil
	}
	last := s.Int("P") - 1
	return []string{
		"none", "0:1@t30", "1:0@t30",
		fmt.Sprintf("0:%d@t30,%d:0@t31", last, last),
		fmt.Sprintf("%d:0@t90,0:1@t200", last),
	}
}

// endsTried are when the service ends: after four changes, soon, or so late that partitions have
// time to agree. The more often ranks ask, the earlier: to ask is what takes most of the real
// time.
func endsTried(s line.Settings) []string {
	asks := inquiries.Of(s, "inquire") != membership.Nobody
	switch {
	case asks && s.Text("every") == "60":
		return mostlyAuto("900", "6000")
	case asks && s.Text("every") == "150":
		return mostlyAuto("1500", "15000")
	}
	return mostlyAuto("2500", "40000")
}

// mostlyAuto has six in eight lines last as long as their failures need.
func mostlyAuto(others ...string) []string {
	return append(slices.Repeat([]string{"auto"}, 6), others...)
}
