// Package browsertest has the tests that show pages of package view in a browser. It is a module of its
// own, so that nobody who uses Mangrove gets what it takes to drive one:
//
//	go test -C internal/browsertest
package browsertest
