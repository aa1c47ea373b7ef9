// Package correction closes the gaps that failed ranks leave behind: ranks that know the
// message send it to their neighbours on the ring of ranks, so that those are reached
// whom the dissemination missed (Corrected Trees, section 3; Corrected Gossip, section III).
//
// Left means towards lower ranks, right towards higher ones; rank 0 and the last rank are
// neighbours unless the [Ring] is a chain. A message's kind says which way it went, so its
// receiver knows on which side, and how far away, the sender is.
//
// # Corrections
//
//	None           nobody corrects
//	Opportunistic  a fixed number of messages; closes gaps of as many ranks
//	Checked        until a rank on either side is known to have the message; closes every
//	               gap as long as nobody fails meanwhile
//	FailureProof   until f+1 ranks on either side are known to have it; closes every gap
//	               although f ranks fail meanwhile
//	Delayed        one message if all goes well, a search to the right if not
//
// When a correction begins, and who takes part, is not its own business: packages broadcast
// and gossip decide that.
//
// # Adding a correction
//
// A correction is one file here, with the methods of [Correction] and [Runner], and one line in
// the table of corrections in package catalog. It then goes with every tree and every start.
package correction
