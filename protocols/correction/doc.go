// Package correction closes the gaps that failed ranks leave behind: ranks that know the
// message send it to their neighbours on the ring of ranks, so that those are reached
// whom the dissemination missed (Corrected Trees, section 3.1; Corrected Gossip, III).
//
// Left means towards lower ranks, right towards higher ones; rank 0 and the last rank are
// neighbours. A message's kind says which way it went, so its receiver knows on which
// side, and how far away, the sender is.
package correction
