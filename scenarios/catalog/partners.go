package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/protocols/gossip"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// partnersKey says whom ranks gossip with.
var partnersKey = line.Key{
	Name:    "partners",
	Default: "random",
	Values:  "random, fixed, or by hand: 0:3+1,3:2",
	Help:    "whom ranks send to; fixed: the same for every seed",
	Check: func(value string) error {
		if value == "random" || value == "fixed" {
			return nil
		}
		_, err := parsePartners(value)
		return err
	},
	Fits:  partnersExist,
	Tries: line.Words("random", "fixed"),
}

// partnersOf returns what the key stands for.
func partnersOf(s line.Settings) gossip.Partners {
	switch s.Text("partners") {
	case "random":
		return gossip.Random
	case "fixed":
		return gossip.Fixed
	}
	return gossip.Table(partnersByHand(s))
}

// partnersByHand are the lists on the line, if there are any.
func partnersByHand(s line.Settings) map[int][]int {
	table, _ := parsePartners(s.Text("partners"))
	return table
}

// parsePartners reads lists such as "0:3+1,3:2": rank 0 sends to 3, then to 1; rank 3 to 2.
func parsePartners(text string) (map[int][]int, error) {
	table := make(map[int][]int)
	for list := range strings.SplitSeq(text, ",") {
		from, to, ok := strings.Cut(list, ":")
		rank, err := strconv.Atoi(from)
		if !ok || err != nil || rank < 0 {
			return nil, fmt.Errorf("%q: want random, fixed or lists such as 0:3+1,3:2", list)
		}
		if table[rank] != nil {
			return nil, fmt.Errorf("%q: rank %d has a list already", list, rank)
		}
		for partner := range strings.SplitSeq(to, "+") {
			n, err := strconv.Atoi(partner)
			if err != nil || n < 0 {
				return nil, fmt.Errorf("%q: want ranks joined by +, not %q", list, partner)
			}
			table[rank] = append(table[rank], n)
		}
	}
	return table, nil
}

// partnersExist says which ranks do not, or talk to themselves.
func partnersExist(s line.Settings) error {
	ranks := s.Int("P")
	for rank, list := range partnersByHand(s) {
		for _, n := range append([]int{rank}, list...) {
			if n >= ranks {
				return fmt.Errorf("partners: rank %d, want 0 to %d", n, ranks-1)
			}
		}
		if slices.Contains(list, rank) {
			return fmt.Errorf("partners: rank %d with itself, want another one", rank)
		}
	}
	return nil
}
