package paper

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Experiment is a table or figure of a paper.
type Experiment struct {
	Name  string
	Paper string // title, authors and year
	About string // which table or figure, and what it shows
	// Campaigns are the names of what is run, and evaluate is what becomes of it.
	Campaigns []string
	evaluate  func([]measured) (*Result, error)
	// measure is for experiments that are no campaigns. Chance has no part in them; some have a full size.
	measure func(context.Context, Options) (*Result, error)
	full    bool
	// Engine says that it needs an MPI library ([Options].Job), and what it measures depends on this machine.
	Engine bool
}

// experiments are all of them, paper by paper.
var experiments = slices.Concat(
	of("Corrected Trees (Küttler and others, PPoPP 2019)", []Experiment{
		{Name: "trees-fig1b", About: "figure 1b: correction by numbering of the tree", Campaigns: []string{"trees-numbering"}, evaluate: numberingFigure},
		{Name: "trees-fig6", About: "figure 6: messages a rank, without failures", Campaigns: []string{"trees-free", "gossip-free", "gossip-coverage"}, evaluate: messagesFigure},
		{Name: "trees-fig7", About: "figure 7: quiescence, without failures", Campaigns: []string{"trees-free", "gossip-free"}, evaluate: latencyFigure},
		{Name: "trees-fig8", About: "figure 8: quiescence by rate of failures", Campaigns: []string{"trees-faults", "gossip-faults"}, evaluate: faultLatencyFigure},
		{Name: "trees-fig9", About: "figure 9: messages by rate of failures", Campaigns: []string{"trees-faults", "gossip-faults"}, evaluate: faultMessagesFigure},
		{Name: "trees-fig10", About: "figure 10: gaps and how long they take", Campaigns: []string{"trees-faults"}, evaluate: gapFigure},
		{Name: "trees-table1", About: "table 1: cost of correction under failures", Campaigns: []string{"trees-faults"}, evaluate: correctionTable},
		{Name: "trees-coverage", About: "section 4.3: whom opportunistic correction misses", Campaigns: []string{"trees-coverage"}, evaluate: coverageTable},
		{Name: "trees-fig11", About: "figure 11: beside MPI_Bcast, on processes", measure: prototypeFigure, Engine: true},
		{Name: "trees-fig12", About: "figure 12: corrections, on processes", measure: variantsFigure, Engine: true},
	}),
	of("Corrected Gossip (Hoefler and others, IPDPS 2017)", []Experiment{
		{Name: "gossip-fig1", About: "figure 1: whom gossip reaches over time", Campaigns: []string{"gossip-fig1", "gossip-fig1-tree", "gossip-fig1-gaps", "gossip-fig3"}, evaluate: spreadFigure},
		{Name: "gossip-fig3", About: "figure 3: OCG by how long ranks gossip", Campaigns: []string{"gossip-fig3"}, evaluate: opportunisticFigure},
		{Name: "gossip-fig5", About: "figure 5: CCG by how long ranks gossip", Campaigns: []string{"gossip-fig5"}, evaluate: checkedFigure},
		{Name: "gossip-fig9", About: "figure 9: FCG by how long ranks gossip", Campaigns: []string{"gossip-fig9"}, evaluate: failureProofFigure},
		{Name: "gossip-table", About: "table of figure 7: all on 4,096 ranks", Campaigns: []string{"gossip-table", "gossip-table-free"}, evaluate: caseStudyTable},
		{Name: "gossip-fig7a", About: "figure 7a: latency by ranks, no failures", Campaigns: []string{"gossip-fig7a", "gossip-fig7a-trees"}, evaluate: scalingFigure},
		{Name: "gossip-fig7b", About: "figure 7b: latency by ranks, 1 in 64 down", Campaigns: []string{"gossip-fig7b", "gossip-fig7b-trees", "gossip-fig7a"}, evaluate: faultyScalingFigure},
	}),
	// The thesis is called Fault Tolerant Collective Communication Algorithms for Distributed Database
	// Systems (TU Darmstadt).
	of("Fault Tolerant Collective Communication Algorithms (Stengler, 2017)", []Experiment{
		{Name: "collectives", About: "figures 5.3 to 5.13: cost of tolerance", Campaigns: []string{"collective-overhead"}, evaluate: ofResults(overheadFigure)},
		{Name: "collective-size", About: "figure 5.5: overhead by message size", Campaigns: []string{"collective-size"}, evaluate: ofResults(sizeFigure)},
		{Name: "collective-4mb", About: "figure 5.14: all-to-all of 4 MB a rank", Campaigns: []string{"collective-4mb"}, evaluate: ofResults(longBlocksFigure)},
		{Name: "collective-reduce", About: "figure 5.23: ways to reduce", Campaigns: []string{"collective-reduce", "collective-late"}, evaluate: ofResults(reduceFigure)},
		{Name: "tpch-q3", About: "figures 5.17 to 5.24: against restart", measure: queryFigure, full: true},
		{Name: "collectives-mpi", About: "figures 5.3 to 5.13: beside MPI's own", measure: besideMPIFigure, Engine: true},
		{Name: "collectives-mpi-size", About: "figures 5.5, 5.14: beside MPI's own", measure: sizesBesideMPI, Engine: true},
	}),
	// The thesis is called Scalable, Fault-Tolerant Membership for Group Communication on HPC Systems (North
	// Carolina State University).
	of("Scalable, Fault-Tolerant Membership (Varma, 2006)", []Experiment{
		{Name: "membership-bgl", About: "figures 6.1 and 6.2: time to agree", measure: stabilizationFigure},
		{Name: "membership-mpi", About: "figures 6.3 to 6.11: over TCP and MPI, on processes", measure: clusterFigure, Engine: true},
	}),
	of("Algorithms of several libraries, side by side (of no paper)", []Experiment{
		{Name: "agreement", About: "Agree and Shrink by ranks and failures", Campaigns: []string{"agreement-size", "agreement-faults", "agreement-roots"}, evaluate: agreementFigure},
		{Name: "revocation", About: "Revoke by ranks and failures", Campaigns: []string{"revocation-size", "revocation-large", "revocation-faults"}, evaluate: revocationFigure},
	}),
)

// of says from which paper experiments are.
func of(paper string, all []Experiment) []Experiment {
	for i := range all {
		all[i].Paper = paper
	}
	return all
}

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

// Choose finds experiments by their names, each once; the name all stands for all of them.
func Choose(names []string) ([]Experiment, error) {
	if slices.Equal(names, []string{"all"}) {
		return All(), nil
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("paper: no name, want all or some of: %s", strings.Join(Names(), ", "))
	}
	var chosen []Experiment
	for i, name := range names {
		e, err := Find(name)
		switch {
		case name == "all":
			return nil, errors.New("paper: all and other names, want one of the two")
		case err != nil:
			return nil, err
		case !slices.Contains(names[:i], name):
			chosen = append(chosen, e)
		}
	}
	return chosen, nil
}
