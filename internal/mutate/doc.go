// Command mutate counts how many mistakes the tests of a package notice. It plants one mistake at a time, such as < for <=, a
// statement left out or two arguments swapped, and runs the tests. A mistake that they do not notice survives: it is
// printed with its line, and is either a test that is missing or a line that does not matter.
//
//	go run ./internal/mutate --seed 7 --per-package 20 --packages ./clock,./protocols/...
//
// # Which mistakes
//
// The list is in kinds.go. Nothing is planted in tests, texts, String methods, panics of what cannot be, and sizes that only
// reserve memory. What the compiler refuses is no mistake. Of all that is left, each package has a sample, drawn with the
// seed: the same seed on the same code plants the same mistakes.
//
// # What notices them
//
// The tests of the package itself, first with -short, then all; for those that survive, also the tests of the packages in --also
// that depend on it, with -short. A run that does not end in a multiple of the time that it takes without the mistake has noticed it, as one that
// would use up all memory has. Mistakes are given to the compiler as an overlay and tests run in a copy of the
// module, so nothing in the tree changes.
//
// # Mistakes that are none
//
// known.toml lists mistakes that cannot be noticed by what a program does, each with the reason: nothing differs, or only speed or memory.
// They are not planted. One that is listed and cannot be planted any more, as its line has changed, makes the command fail.
package main
