// Package campaign runs many lines many times and keeps what came of it in a file.
//
// A [Campaign] is described in TOML: a line, keys of it that take several values, how often each
// combination is run, and a seed from which those of all runs follow:
//
//	name = "checked"
//	line = "broadcast P=4096 correction=checked"
//	runs = 1000
//	seed = 1
//
//	[[sweep]]
//	key = "tree"
//	values = ["binomial", "lame"]
//
//	[[sweep]]
//	key = "faults"
//	values = ["none", "crash:1%", "crash:4%"]
//
// Values may also be given as a range: "1024..65536 x4" multiplies, "10..50 +20" adds.
//
// # Runs
//
// Each combination of values is a point, numbered in the order of the file: the last key changes
// first. Run r of every point has the same seed, so that points differ in what they are about and
// not in chance.
//
// # The file
//
// Results are lines of JSON in a fixed order: first one that says which campaign this is, then one
// for each run. A campaign that was interrupted, even in the middle of a line, is resumed where it
// stopped, and the file is in the end the same as if nothing had happened. A [Shard] does a part of
// the runs, in a file of its own; [Merge] makes of all parts the file of the whole, byte by byte.
package campaign
