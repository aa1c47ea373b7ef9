// Command costs is for those who choose a broadcast before they own the machine: it puts trees and corrections
// together, runs each pair with the same failures, and says what it costs and whom it misses.
//
//	go run ./examples/costs
package main
