//go:build bug

package kv

// bugs are what servers do wrong.
type bugs struct{ readsAlone, noSessions bool }

// alone says whether a server answers a read without asking others. The leader has all that is committed, so it can: that is the bug. Another one may be leader by now.
func (b bugs) alone(leads bool) bool { return b.readsAlone && leads }

// skips says whether a command is not applied, as it was before. A client would have asked once only: that is the bug.
func (b bugs) skips(before bool) bool { return before && !b.noSessions }
