// Package commit has two protocols by which ranks agree to commit to something all together or not at all: two-phase commit, which waits for its
// coordinator for as long as that takes, and three-phase commit, which never waits and relies on messages being in time. What each of them promises,
// and what is known to go wrong, is in the README.
package commit
