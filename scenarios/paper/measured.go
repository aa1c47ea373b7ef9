package paper

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// point is a point of a campaign with the settings of its line.
type point struct {
	*campaign.Summary
	settings line.Settings
}

// points returns the points of a campaign. A point that has no runs yet is an error: an experiment is
// evaluated when all of it has been measured.
func (m Measured) points() ([]point, error) {
	all := make([]point, len(m.Points))
	for i := range m.Points {
		run, err := catalog.ParseLine(m.LineOf(i, 0))
		if err != nil {
			return nil, err
		}
		if m.Points[i].Runs == 0 {
			return nil, fmt.Errorf("paper: %s: no run of %s", m.Name, m.LineOf(i, 0))
		}
		all[i] = point{&m.Points[i], run.Settings()}
	}
	return all, nil
}

func (p point) ranks() int { return p.settings.LogP().Ranks }

// down is how many ranks have failed, from faults such as crash:~7.
func (p point) down() int {
	var n int
	if _, err := fmt.Sscanf(p.settings.Text("faults"), "crash:~%d", &n); err != nil {
		return 0
	}
	return n
}

// downPercent is down as a percentage of all ranks, rounded as papers print it.
func (p point) downPercent() float64 {
	percent, err := strconv.ParseFloat(strconv.FormatFloat(100*float64(p.down())/float64(p.ranks()), 'g', 1, 64), 64)
	if err != nil {
		panic(fmt.Sprintf("paper: %v", err))
	}
	return percent
}

// gossipName says how long ranks gossip, and if correction waits for the last of it.
func (p point) gossipName() string {
	name := "gossip, T=" + p.settings.Text("T")
	if p.settings.Text("start") == "drained" {
		name += ", drained"
	}
	return name
}

// treeName is what figures call the tree of a line.
func (p point) treeName() string {
	switch tree := p.settings.Text("tree"); tree {
	case "kary":
		return p.settings.Text("k") + "-ary"
	case "lame":
		return "Lamé"
	default:
		return tree
	}
}

// grouped sorts points into groups with the same key, in the order in which the keys first come.
func grouped[K comparable](all []point, key func(point) K) (keys []K, groups map[K][]point) {
	groups = make(map[K][]point)
	for _, p := range all {
		k := key(p)
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], p)
	}
	return keys, groups
}
