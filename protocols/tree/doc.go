// Package tree knows the shapes of dissemination trees: who sends to whom, in what order,
// and how long that takes without failures. It is arithmetic only; nothing here sends.
//
// # Trees
//
// A [Tree] is a set of ranks of which each but the root has one parent and every one has
// its children in the order in which it sends to them. Binomial trees, and k-ary ones that are
// interleaved, compute children and parents when asked for; others are listed, in twelve bytes
// a rank.
//
//	NewBinomial   doubles the ranks reached with every message sent
//	NewKary       every rank sends to k others; with k = 1, a chain
//	NewLame       like binomial, but a rank may send only k steps after it was sent to
//	NewOptimal    the least latency that a given machine allows
//
// # Numberings
//
// Each tree can be numbered in two ways. In an [Interleaved] tree every subtree is
// spread over the ring of ranks: when a rank fails, those it would have reached do not lie
// side by side, and correction has only small gaps to close (Corrected Trees, section 3.2).
// That is so if in the ring of the ranks of any subtree two neighbours either descend from each
// other or have only the root of that subtree as a common ancestor (definition 1). In an
// [InOrder] tree every subtree is one range of ranks, as is usual in MPI libraries; it is there
// to compare with. Ranks that a full tree has beyond the last one are left out at no cost in time.
//
// Trees have rank 0 as their root; [WithRoot] turns any of them round the ring.
//
// # Time
//
// [Latency] and [Subtree] answer for any tree, by walking it if need be. A tree that knows a
// quicker way has a method of the same name.
//
// # Adding a tree
//
// A tree is one file here, with the five methods of [Tree], and one line in the table of
// trees in package catalog. The tests of this package say what a tree must fulfil: add
// the new one to their list.
//
// A tree need not have methods of its own: it can be listed (listed.go), by the parent of every
// rank. If its ranks send in a steady rhythm it takes only the step and the delay of that, as in
// lame.go and optimal.go (growth.go).
//
// Next: package broadcast for the protocol that sends along a tree.
package tree
