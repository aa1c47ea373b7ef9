// Package election has two protocols by which ranks choose a leader: the bully algorithm, which survives every failure and relies on answers being in
// time, and a ring, which takes any time and survives no failure. What each of them promises, and what is known to go wrong, is in the README.
package election
