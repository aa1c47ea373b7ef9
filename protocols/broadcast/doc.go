// Package broadcast puts dissemination and correction together: the root's message goes
// down a tree, then ranks correct on the ring, so that every live rank gets it although
// others have failed (Corrected Trees, section 3).
//
// Any tree goes with any correction, in one of these ways:
//
//   - Synchronized: correction starts on all ranks at the instant by which the tree would
//     have reached everybody without failures. Ranks that the tree has reached take part; a
//     rank that a correction message reaches first has what it needs and does nothing more.
//   - Overlapped: a rank corrects as soon as it has sent its last message down the tree. A
//     rank that a correction message reaches first still sends down the tree, then corrects
//     as well or rests.
//
// A rank takes part in one broadcast after the other, each with an epoch of its own. They
// may overlap: what comes late is dropped, what comes early waits in the mailbox.
//
// To compare with: [Acknowledge] in the place of a correction, correction.None for the plain
// tree, [MultiTree], and [BinomialGraph].
package broadcast
