//go:build !bug

package kv

// bugs are what servers do wrong: nothing.
type bugs struct{}

// alone says whether a server answers a read without asking others.
func (bugs) alone(bool) bool { return false }

// skips says whether a command is not applied, as it was before.
func (bugs) skips(before bool) bool { return before }
