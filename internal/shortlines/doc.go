// Package shortlines has what the lines of protocols say in tests so that runs on processes do not take long, where they would.
//
// Next: shortlines.go.
package shortlines
