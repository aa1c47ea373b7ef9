package paper

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

// Experiment is a table or figure of a paper.
type Experiment struct {
	Name  string
	Paper string // title, authors and year
	About string // which table or figure, and what it shows
	// Campaigns are the names of what is run, and evaluate is what becomes of it.
	Campaigns []string
	evaluate  func([]Measured) (*Result, error)
	// measure is for experiments that are no campaigns. Chance has no part in them.
	measure func(context.Context) (*Result, error)
}

// Measured is what came of a campaign.
type Measured struct {
	*campaign.Campaign
	Points []campaign.Summary
}

// experiments are all of them, paper by paper.
var experiments = slices.Concat(treesExperiments, gossipExperiments, thesisExperiments, membershipExperiments)

// All lists the experiments, paper by paper.
func All() []Experiment { return slices.Clone(experiments) }

// Names lists the names of the experiments.
func Names() []string {
	var names []string
	for _, e := range experiments {
		names = append(names, e.Name)
	}
	return names
}

// Find returns an experiment by its name.
func Find(name string) (Experiment, error) {
	for _, e := range experiments {
		if e.Name == name {
			return e, nil
		}
	}
	return Experiment{}, fmt.Errorf("paper %q: want %s", name, strings.Join(Names(), ", "))
}
