package paper

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// measured is what came of a campaign.
type measured struct {
	*campaign.Campaign
	points []point
}

// point is a point of a campaign with the settings of its line.
type point struct {
	*campaign.Summary
	settings line.Settings
}

// newMeasured reads the lines of a campaign. A point that has no runs yet is an error: an experiment is
// evaluated when all of it has been measured.
func newMeasured(c *campaign.Campaign, all []campaign.Summary) (measured, error) {
	m := measured{Campaign: c}
	for i := range all {
		run, err := catalog.ParseLine(c.LineOf(i, 0))
		if err != nil {
			return m, err
		}
		if all[i].Runs == 0 {
			return m, fmt.Errorf("paper: %s: no run of %s", c.Name, c.LineOf(i, 0))
		}
		m.points = append(m.points, point{&all[i], run.Settings()})
	}
	return m, nil
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
	return must(strconv.ParseFloat(strconv.FormatFloat(100*float64(p.down())/float64(p.ranks()), 'g', 1, 64), 64))
}

// correction is how a line corrects.
func (p point) correction() string { return p.settings.Text("correction") }

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

// group is points that have something in common.
type group[K comparable] struct {
	key    K
	points []point
}

// protocol is the points of one protocol, a line of a figure.
type protocol = group[string]

// grouped sorts points into groups with the same key, in the order in which the keys first come.
func grouped[K comparable](all []point, key func(point) K) (groups []group[K]) {
	for _, p := range all {
		i := slices.IndexFunc(groups, func(g group[K]) bool { return g.key == key(p) })
		if i < 0 {
			i, groups = len(groups), append(groups, group[K]{key: key(p)})
		}
		groups[i].points = append(groups[i].points, p)
	}
	return groups
}

// named finds a group by its key.
func named[K comparable](all []group[K], key K) group[K] {
	return all[slices.IndexFunc(all, func(g group[K]) bool { return g.key == key })]
}
