// Package buntinas is a fault-tolerant broadcast with a failure detector, after Darius Buntinas
// (Corrected Gossip, section IV-B, "Buntinas' FT Broadcast"). It stands for the algorithms that
// begin again when somebody fails, and is here to be compared with those that do not need to.
//
// # An attempt
//
// The root numbers its attempts. Each goes down a tree that is made on the way: a message says
// up to where its receiver is responsible, and who has failed there as far as is known. The
// receiver hands on the upper half of that to the first live rank in it, then the upper half
// of what is left, and so on. Ranks it suspects are passed over, so those that were down before
// cost nothing. Without failures the tree is binomial. Eight ranks, with 4 down:
//
//	0 is responsible for 1-7    sends to 5 (responsible for 6-7), 2 (for 3), 1
//	5 is responsible for 6-7    sends to 7, 6
//	2 is responsible for 3      sends to 3
//
// A rank watches its children and waits for their answers. If all acknowledge, so does it. If
// one refuses, or the detector tells that it has failed, it refuses at once, and says who has
// failed. The root has succeeded when all its children have acknowledged; otherwise it begins
// the next attempt, without those that have failed.
//
// Attempts may overlap. A rank always takes part in the latest it knows of. It tells the parent
// of an earlier one by a refusal, if that may be waiting still, and ignores answers that belong
// to earlier ones. A notice of the detector is true whenever it comes, but it concerns only a
// rank that waits for that child.
//
// # Lingering
//
// A rank that has answered cannot know that it is over: another one may fail, and the next
// attempt needs all ranks again. It therefore lingers. Each failure can cost an attempt, and
// keep that attempt from a rank that has had the message for long. So the time that is always
// enough is as long as P attempts take, and much too long for practice: who expects no more
// than f failures meanwhile should set [Options].Linger to f+1 times [Longest]. This is the only
// place where the protocol depends on how fast anybody is: ranks that are slow by more than that, or
// one that hangs unnoticed and crashes much later, find others gone, and the root waits for ever.
//
// # What is promised
//
// The root lives. Any number of other ranks fail, at any time, in a way that the detector
// notices: with one that does not see hangs, whoever waits for a rank that hangs waits for ever.
//
//  1. Every live rank gets the message, once.
//  2. The root gets to know when that is so, and no live rank is without the message then.
//  3. There are no more attempts than ranks that fail meanwhile, and one.
//  4. Every live rank comes to an end.
//
// If the root fails, nobody begins another attempt. Some live ranks may then have the message
// and others not, and of those who have it every one comes to an end.
//
// A machine without failure detector makes ranks panic with protocols.ErrNoDetector.
//
// # Cost
//
// If nobody fails meanwhile, every live rank but the root costs two messages, one of them an
// acknowledgement. With g <= o the root knows after at most
//
//	2 (2o+L) ceil(log2 P)
//
// ticks; after exactly that if P is a power of two and nobody was down before. A failure
// meanwhile comes to the root's ears by then and the detector's delay, and all begins anew. A
// rank sends all messages of an attempt before it listens.
//
// member.go has what ranks do, spread.go the tree, linger.go the times, down.go what messages
// look like.
package buntinas
