// Package paper makes the tables and figures of papers again.
//
//	e, err := paper.Find("trees-fig8")
//	result, err := e.Run(ctx, paper.Options{Folder: "out", Size: campaign.Quick})
//	fmt.Print(result.Text())
//
// # What an experiment is
//
// An [Experiment] is one or more campaigns (package campaign), which are files of this package, and a
// function that makes a [Result] of what they have measured: a [Table], a drawing (package
// figure), and [Claim]s, which set what the paper says beside what we have found. Those that compare
// algorithms of several libraries are of no paper and have no claims. Several experiments may
// share a campaign; what one has run the others need not run again. A few experiments in which chance has no
// part have a function that measures instead.
//
// # Sizes
//
// A campaign has three numbers of runs. Quick ones take less than a minute for each experiment on two
// processors, and show the shape. The usual ones are enough to compare with the paper. Full ones are as many as
// the paper has, or have as much data.
//
// Next: docs/reproducing.md for what became of each table and figure.
package paper
