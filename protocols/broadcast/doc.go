// Package broadcast puts dissemination and correction together: the root's message goes
// down a tree, then ranks correct on the ring, so that every live rank gets it although
// others have failed (Corrected Trees, section 3).
//
// The time to start correcting is synchronized: the instant by which the tree would have
// reached everybody without failures. Ranks that the tree has reached take part; a rank
// that a correction message reaches first has what it needs and does nothing more.
package broadcast
