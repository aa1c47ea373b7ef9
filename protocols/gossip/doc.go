// Package gossip is Corrected Gossip: ranks that have the root's message send it to others at
// random, and what that misses is corrected on the ring of ranks (Hoefler, Barak, Shiloh,
// Drezner).
//
// A rank is a g-node if gossip reaches it first, and a c-node if correction does. g-nodes
// gossip until a given time T, wait until the last message has come in, and correct; c-nodes
// have what they need. The variants differ in the correction alone:
//
//   - GOS: [correction.None]. All ranks are reached with high probability.
//   - OCG: [correction.Opportunistic]. The same with fewer messages.
//   - CCG: [correction.Checked]. All are reached unless ranks fail meanwhile.
//   - FCG: [correction.FailureProof]. All or none are reached even if f ranks fail meanwhile.
//
// Time. Clocks need not agree. Messages carry the time since the root began, from which a rank
// that gets one knows when T will be. In place of a time there can be a number of rounds, as in
// the prototype of Corrected Trees (section 4.4 there): a message carries its round, and ranks
// correct when they have sent, or heard of, the last one.
//
// Or correction starts at T itself (Sharp), as in the simulator of Corrected Trees. Clocks must
// agree then, and ranks that gossip reaches after T are no g-nodes.
//
// Which T and how long a correction are good is in package tuning: a Plan's GossipEnd is Until,
// its Corrections are the Messages of an opportunistic correction. The paper's corrections begin on
// the right (RightFirst).
package gossip
