package paper

const treesPaper = "Corrected Trees (Küttler and others, PPoPP 2019)"

// treesExperiments are those of Corrected Trees (Küttler and others, PPoPP 2019).
var treesExperiments = []Experiment{
	{Name: "trees-fig1b", Paper: treesPaper, About: "figure 1b: correction by numbering of the tree", Campaigns: []string{"trees-numbering"}, evaluate: numberingFigure},
	{Name: "trees-fig6", Paper: treesPaper, About: "figure 6: messages a rank, without failures", Campaigns: []string{"trees-free", "gossip-free", "gossip-coverage"}, evaluate: messagesFigure},
	{Name: "trees-fig7", Paper: treesPaper, About: "figure 7: quiescence, without failures", Campaigns: []string{"trees-free", "gossip-free"}, evaluate: latencyFigure},
	{Name: "trees-fig8", Paper: treesPaper, About: "figure 8: quiescence by rate of failures", Campaigns: []string{"trees-faults", "gossip-faults"}, evaluate: faultLatencyFigure},
	{Name: "trees-fig9", Paper: treesPaper, About: "figure 9: messages by rate of failures", Campaigns: []string{"trees-faults", "gossip-faults"}, evaluate: faultMessagesFigure},
	{Name: "trees-fig10", Paper: treesPaper, About: "figure 10: gaps and how long they take", Campaigns: []string{"trees-faults"}, evaluate: gapFigure},
	{Name: "trees-table1", Paper: treesPaper, About: "table 1: cost of correction under failures", Campaigns: []string{"trees-faults"}, evaluate: correctionTable},
	{Name: "trees-coverage", Paper: treesPaper, About: "section 4.3: whom opportunistic correction misses", Campaigns: []string{"trees-coverage"}, evaluate: coverageTable},
}
