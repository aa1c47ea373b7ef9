// Package stats says what many runs have in common: means with their confidence, percentiles,
// proportions with their confidence.
//
// A [Sample] is many measurements. Whatever it is asked depends on the values only, not on the
// order in which they were added, to the last bit: parts of a campaign that were run apart and put
// together give the same numbers as one that was not.
//
// A [Proportion] is how often something happened. [Proportion.Wilson] is the interval to show;
// [Proportion.ClopperPearson] is the careful one: it covers the truth at least as often as it says,
// and is what to use for claims such as "in no run".
package stats
