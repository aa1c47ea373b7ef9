// Package reduce combines one value of every rank at the root, although up to f ranks fail:
// correction before dissemination (Corrected Trees, section 1).
//
// # Groups and subtrees
//
// All ranks but the root are members, in the order of their ranks. Each f+1 neighbours form
// a group, and the i-th member of every group belongs to the i-th of f+1 subtrees below the
// root. So f failures leave at least one subtree whole.
//
// # Exchange
//
// First, every rank sends its value to one rank of each subtree, the one that is in charge
// of it there: a mate of its own group. Every subtree holds the values of all live ranks
// then, each once. The ranks of a subtree are in charge of ranges of neighbours:
//
//	from the first member of the rank's own group
//	to   the last one before the next group that has a member in this subtree
//
// The second line settles what happens to a last group of less than f+1 members: where a
// subtree has no member of that group, the one before it in the subtree is in charge of it,
// too. The root counts with the member before it; rank 0, as root, with the first one. For
// example, 9 ranks with rank 4 as root and f = 2:
//
//	member         0    1    2      3    5    6      7    8
//	group          0    0    0      1    1    1      2    2
//	subtree        0    1    2      0    1    2      0    1
//	in charge of   0-2  0-2  0-2    3-6  3-6  3-8    7-8  7-8
//
// # Reduction
//
// Then each subtree reduces up a tree of its own over the groups. These trees are numbered
// in order, so whatever comes from below a rank covers ranks behind those it is in charge
// of, and values are combined in the order of ranks: the operation need not be commutative.
// A rank that misses a child at its deadline, or hears that one's part is broken, reports
// "broken". The root takes the first part that is not broken.
//
// # What is promised
//
// Here a failed rank is one that has crashed or hangs, at whatever instant. The root lives.
//
//  1. A complete result holds the value of every live rank exactly once, that of a failed
//     rank at most once, and in the order of ranks. This is so for any number of failures.
//  2. If no more than f ranks have failed, or more, but none in some subtree, the result is
//     complete.
//  3. Every rank is done at the deadline, whoever has failed, and all ports are free again:
//     the next operation can begin.
//  4. Without failures nobody waits for a deadline.
//
// Deadlines are those of the machine that New was given. A rank that is slower than that
// may count as failed, and a rank that was slow to receive may leave out what it has not
// received in time, so a complete result may then lack values. It has none twice, still. So it is with messages that take longer
// than L. That a message arrives twice does no harm: of each sender the first one counts.
//
// # Cost
//
// Without failures there are P(f+1) messages, P(P-1) if that is less: f for each member and
// f+1 for the root in the exchange, then one for each member.
//
// With full groups in full binomial trees of height h >= 2, and f >= 1, the root has its
// result after
//
//	(h+2) (2o+L) + (f-1) max(o,g)
//
// ticks: one delivery for the exchange, one for each level, one to the root.
//
// # Deadlines
//
// Let o, L, g be the machine's parameters, w the number of subtrees, r the number of members
// in a short last group, h the height of the trees, c the largest number of children, and b
// the time that the bytes of the longest value add to a message. A step in which up to k
// messages go to one rank takes
//
//	step(k) = o + b + L + k max(o,g)
//
// until they are received and both ports are free again. After its beginning, the operation
// has its deadlines at
//
//	exchange               (w-1) (max(o,g) + b) + step(w+r+c)
//	of a rank of depth d   exchange + (h-d) step(c)
//	of the root            exchange + h step(c) + step(w)
//
// In the exchange a rank gets up to w+r values, and its children may be done early.
//
// layout.go has groups and subtrees, deadlines.go the times, member.go and root.go what
// ranks do.
package reduce
