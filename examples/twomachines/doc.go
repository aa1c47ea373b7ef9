// Command twomachines runs one program on the emulator and over real connections, with the same failures, and compares
// what is left behind: a report of the same type.
//
//	go run ./examples/twomachines
package main
