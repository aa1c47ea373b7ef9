// Package viewtest has the runs that tests of pages look at: package view, which writes them, and the module
// of the browser, which shows them.
package viewtest
