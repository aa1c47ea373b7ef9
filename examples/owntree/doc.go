// Command owntree is for those who want to change an algorithm of the papers: it gives Corrected Trees a tree that
// the paper does not have, and looks at what a failure does to it.
//
//	go run ./examples/owntree
package main
