// Package model predicts how long a change of view takes, as the thesis on the membership
// service does, and says item by item what a measured one has consisted of. It is arithmetic
// only; nothing here sends.
//
// # What is modelled
//
// The stabilization time T_s of a tree of H levels: from the instant at which the root has the
// news to the one at which all its children have acknowledged them (thesis, chapters 4 and 6).
//
//	Base        every level costs the latency there and back, and a computation
//	Distance    the latency of a level is that of its longest way, in hops
//	Contention  the latency is the one measured while that many nodes send
//
// # What was measured
//
// The time of a change is that of one path, from the root to the child that it heard last, from
// there to the one that this child heard last, down to a rank without children, and back. [Items]
// is the time along this path; the items add up to all of it.
//
//	    Latency  Compute  Overheads  Sends  Bytes  Waits
//	    \_____________/  \_____________________________/
//	what models predict    what they leave out
//
// So on a uniform network a measured time and Base differ by the four items that models leave
// out, if the path is as long as the tree is high. Where another path was slower, or where not
// every level has its longest way on the path, models count too much instead.
//
// # Latencies
//
// The thesis takes half the time of a round trip for L. On a LogP machine that is 2o+L, the
// machine's Delivery: Base of it has the Overheads in its latency. Here they are an item of
// their own, because they grow with the levels, but not with hops.
//
// # Units
//
// Times are ticks of clock.Time. Sums and products are cut off at clock.Forever.
package model
