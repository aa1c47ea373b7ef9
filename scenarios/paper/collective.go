package paper

const collectivePaper = "Fault Tolerant Collective Communication Algorithms (Stengler, 2017)"

// thesisExperiments are those of Stengler's thesis, Fault Tolerant Collective Communication Algorithms
// for Distributed Database Systems (TU Darmstadt, 2017).
var thesisExperiments = []Experiment{
	{Name: "collectives", Paper: collectivePaper, About: "figures 5.3 to 5.13: cost of tolerance", Campaigns: []string{"collective-overhead"}, evaluate: overheadFigure},
	{Name: "collective-size", Paper: collectivePaper, About: "figure 5.5: overhead by message size", Campaigns: []string{"collective-size"}, evaluate: sizeFigure},
	{Name: "collective-4mb", Paper: collectivePaper, About: "figure 5.14: all-to-all of 4 MB a rank", Campaigns: []string{"collective-4mb"}, evaluate: longBlocksFigure},
	{Name: "collective-reduce", Paper: collectivePaper, About: "figure 5.23: ways to reduce", Campaigns: []string{"collective-reduce", "collective-late"}, evaluate: reduceFigure},
	{Name: "tpch-q3", Paper: collectivePaper, About: "figures 5.17 to 5.24: against restart", measure: queryFigure},
}
