// Package splitmix has the generator SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) as functions: numbers that
// are found without those before them.
package splitmix
