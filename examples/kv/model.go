package kv

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/check/history"
)

// History is what clients have asked for, and were told.
type History = history.History[Request, Answer]

// NewHistory makes an empty one for so many ranks.
func NewHistory(ranks int) *History { return history.New[Request, Answer](ranks) }

// Model is the store as it would be on one rank: each key has a value, "" at first. Keys have nothing to do with each other, so each is judged alone.
var Model = history.Model[string, Request, Answer]{
	Step: func(value string, r Request, a *Answer) (next string, ok bool) {
		next, right := r.on(value)
		return next, a == nil || *a == right
	},
	Part:     func(r Request) string { return r.Key },
	Describe: describe,
}

// describe is a request and its answer in words; a is nil if nobody knows it.
func describe(r Request, a *Answer) string {
	words := fmt.Sprintf("%s %s", r.Op, r.Key)
	switch r.Op {
	case Put:
		words += "=" + r.Value
	case Swap:
		words += fmt.Sprintf("=%s if %s", r.Value, named(r.Old))
	}
	switch {
	case a == nil:
		return words
	case r.Op == Get:
		return words + ": " + named(a.Value)
	case r.Op == Delete && !a.Done, r.Op == Swap && !a.Done:
		return words + ": refused"
	}
	return words + ": done"
}

// named is a value that can be seen even if there is none.
func named(value string) string {
	if value == "" {
		return "nothing"
	}
	return value
}
