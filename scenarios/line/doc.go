// Package line is the language of one line of text that says what to run.
//
//	broadcast tree=binomial correction=checked start=sync P=1024 L=2 o=1 seed=7 faults=crash:3@send2
//
// The first word is a name, the others set keys, in any order, each at most once. Blanks separate
// words and are not part of any:
//
//	line = name { key "=" value }
//
// The package knows nothing of what the names stand for. Whoever does has a list of [Keys] for each,
// and [Read] makes a [Line] of the words: its [Settings] have a value for every key. What is left out
// takes its default. Everything that is wrong with a line is reported at once ([InputError]), with the
// name that was meant if one is similar.
//
// # Keys of all lines
//
// [CommonKeys] are those of the machine (P, L, o, g, G and network, package clock), seed and faults
// (package faults). If tick says what a tick stands for, values in ticks may also be times, such as
// L=4.6us ([Unit]).
//
// The parameters of a machine may be kept in a file, and the line names it: machine=rack.toml takes
// the place of the defaults of tick, L, o, g, G and network ([MachineFile]). Relative names are
// relative to the working directory.
//
// # Where to read next
//
// key.go has what there may be before and behind the "=", read.go reads, line.go writes lines anew,
// settings.go has the values, tick.go and unit.go times, network.go networks, machinekey.go and
// machinefile.go the file of a machine, nearest.go finds what was meant.
package line
