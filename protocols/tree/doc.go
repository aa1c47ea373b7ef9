// Package tree knows the shapes of dissemination trees: who sends to whom, in what order,
// and how long that takes without failures. It is arithmetic only; nothing here sends.
//
// The root of every tree is rank 0. Trees are numbered so that subtrees are interleaved
// on the ring of ranks: when a rank fails, those it would have reached do not lie side by
// side, and correction has only small gaps to close (Corrected Trees, section 3.2).
package tree
