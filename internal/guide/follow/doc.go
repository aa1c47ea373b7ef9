// Command follow follows a document in the current folder, which must be empty:
//
//	follow ROOT DOCUMENT [COMMAND...]
//
// ROOT is where this module is. A COMMAND is what commands begin with that are to be run, such as "go test"; without any, these are the ones that
// need nothing but Go and what was built before. Each is printed with its exit status. That one prints something else than the document shows is an
// error, and so is a document with nothing to run.
package main
