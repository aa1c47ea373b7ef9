package scenarios

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Whoever writes a protocol is told what is wrong with it before it is run, and all of it: a mistake in a key would otherwise show in the first
// line that sets it, as a mistake of whoever has typed that.

// Validate lists what is wrong with the protocols of a registry, each with its name; nil if lines can be read.
func (g Registry) Validate() error {
	var wrong problems.List
	wrong.Check(len(g) > 0, "no protocols, want one or more")
	for i, p := range g {
		name := "protocol " + line.Quote(p.Name)
		if p.Name == "" {
			wrong.Add("protocol %d of %d: no Name, want %s", i+1, len(g), wordy)
			name = "protocol without a name"
		}
		wrong.In(name, p.problems())
		if first := slices.Index(g.Names(), p.Name); first < i && p.Name != "" {
			wrong.Add("%s: protocols %d and %d have this name, want another one for each", name, first+1, i+1)
		}
	}
	return line.Refuse(wrong...)
}

// What names of protocols and keys look like, so that they are one word of a line, and no flag.
const wordy = "letters, digits, - and _, a letter first"

var word = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// taken are words that mean something beside the keys of a line.
var taken = map[string]string{
	"native": "asks for what an MPI library has of its own", "delays": "bounds a search, as delays<=1", "losses": "bounds a search, as losses<=1",
	"duplicates": "bounds a search, as duplicates<=1",
}

// problems lists what is wrong with a protocol.
func (p Protocol) problems() (wrong problems.List) {
	wrong.Check(p.Name == "" || word.MatchString(p.Name), "a Name with other characters, want %s", wordy)
	wrong.Check(p.Build != nil, "no Build, want a function that makes the experiment of a line")
	p.keyProblems(&wrong)
	for i, rule := range p.Idle {
		if _, ok := p.AllKeys().Lookup(rule.Key); !ok {
			wrong.Add("Idle %d is about key %q, want one of %s", i+1, rule.Key, p.keyNames())
		}
		if _, ok := p.AllKeys().Lookup(rule.Because); !ok {
			wrong.Add("Idle %d is because of key %q, want one of %s", i+1, rule.Because, p.keyNames())
		}
		wrong.Check(rule.If != nil, "Idle %d has no If, want a function that says when key %s has no effect", i+1, rule.Key)
	}
	if with := p.RejoinsWith; with != nil {
		if key, ok := p.Keys.Lookup(with.Key); !ok {
			wrong.Add("RejoinsWith is about key %q, want one of its Keys", with.Key)
		} else {
			wrong.About("RejoinsWith "+with.Key+"="+with.Value, key.Refuses(with.Value))
		}
	}
	for i, step := range p.Steps {
		_, err := faults.Parse("crash:0@step:" + step)
		wrong.Check(err == nil && step != "" && !strings.ContainsAny(step, "#,"), "step %q, want a name without blanks, commas and #, as p.Step has it", step)
		wrong.Check(slices.Index(p.Steps, step) == i, "step %q is there twice", step)
	}
	p.fuzzProblems(&wrong)
	return wrong
}

// keyProblems adds what is wrong with keys, one by one and beside others.
func (p Protocol) keyProblems(wrong *problems.List) {
	var known []string
	usual := line.CommonKeys()
	if p.Stores {
		usual = slices.Concat(usual, line.StorageKeys())
	}
	for i, key := range p.Keys {
		about := "key " + line.Quote(key.Name)
		if key.Name == "" {
			wrong.Add("key %d of %d has no Name, want %s", i+1, len(p.Keys), wordy)
			about = "the key without a name"
		}
		for _, name := range []string{key.Name, key.Alias} {
			if name == "" {
				continue
			}
			wrong.Check(word.MatchString(name), "%s: %q, want %s", about, name, wordy)
			if other, ok := usual.Lookup(name); ok {
				wrong.Add("%s: all lines of this protocol have %s= (%s), want another name", about, name, other.Help)
			}
			if means, ok := taken[name]; ok {
				wrong.Add("%s: the word %s %s, want another name", about, name, means)
			}
			wrong.Check(!slices.Contains(known, name), "%s: two keys go by the name %s, want another name for each", about, name)
			known = append(known, name)
		}
		if key.Default == "" || len(strings.Fields(key.Default)) != 1 || strings.TrimSpace(key.Default) != key.Default {
			wrong.Add("%s: Default %q, want one word that is valid", about, key.Default)
		} else if !key.Ticks {
			wrong.About(about+": Default "+line.Quote(key.Default), key.Refuses(key.Default))
		}
	}
}

// fuzzProblems adds what is wrong with how lines are made up.
func (p Protocol) fuzzProblems(wrong *problems.List) {
	for _, name := range p.Fuzz.Common {
		if _, ok := line.CommonKeys().Lookup(name); !ok {
			wrong.Add("Fuzz.Common has %q, want keys that all protocols have", name)
		}
	}
	for name, tries := range p.Fuzz.Tries {
		if _, ok := p.AllKeys().Lookup(name); !ok {
			wrong.Add("Fuzz.Tries has %q, want one of %s", name, p.keyNames())
		}
		wrong.Check(tries != nil, "Fuzz.Tries has nil for %q, want a function", name)
	}
	wrong.Check(p.Fuzz.Scale >= 0, "Fuzz.Scale = %d ticks, want 0 or more", p.Fuzz.Scale)
}

// keyNames lists all keys for a message.
func (p Protocol) keyNames() string {
	var names []string
	for _, key := range p.AllKeys() {
		names = append(names, key.Name)
	}
	return strings.Join(names, ", ")
}

// problems lists what is wrong with the experiment that Build has made of a line with so many ranks.
func (e *Experiment) problems(ranks int) (wrong problems.List) {
	wrong.Check(e.Program.Main != nil, "Program has no Main, want what ranks do")
	for _, list := range []struct {
		name  string
		ranks []int
	}{{"Roots", e.Roots}, {"Program.Initiators", e.Program.Initiators}} {
		for _, rank := range list.ranks {
			wrong.Check(rank >= 0 && rank < ranks, "rank %d of %s, want 0 to %d", rank, list.name, ranks-1)
		}
	}
	for i, promise := range e.Promises {
		wrong.Check(hasCheck(promise), "promise %d of %d has no Guarantee, want what must hold", i+1, len(e.Promises))
	}
	return wrong
}

// hasCheck reports whether there is something that can be checked.
func hasCheck(g guarantee.Guarantee) bool {
	for g != nil {
		promise, ok := g.(guarantee.Promise)
		if !ok {
			return true
		}
		g = promise.Guarantee
	}
	return false
}
