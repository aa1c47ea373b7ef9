// Package ulfm is user-level failure mitigation, the fault-tolerant extension of MPI, on top
// of [protocols.Proc]: communicators whose calls fail with an error instead of waiting for ever
// for a rank that has failed, and the calls by which a program carries on without it.
//
//	err := ulfm.Run(p, func(world *ulfm.Comm) {
//		flags, err := world.Agree(1) // the same on every rank that returns
//		if errors.Is(err, ulfm.ErrProcFailed) {
//			world, err = world.Shrink() // all that are left
//		}
//	})
//
// # What a rank knows
//
// Errors are local: that a call succeeds says nothing about other ranks. A rank learns of a
// failure when it waits for the rank that failed or sends to it, when it receives from any
// source, when it asks ([Comm.FailureAck], [Comm.GetFailed]), and by the outcome of [Comm.Agree]
// and [Comm.Shrink]. Two ranks may know of different failures; a communicator reports failures of
// its own members only.
//
// # The outcome of a call
//
// The first of these that applies:
//
//  1. the operation is complete: success;
//  2. the communicator is revoked: [ErrRevoked];
//  3. it is part of a collective operation, and a member is known to have failed: [ErrProcFailed];
//  4. the peer is [None] or the caller itself: no error because of failures;
//  5. a receive from [AnySource] while there are failures that are not acknowledged:
//     [ErrProcFailedPending], a probe [ErrProcFailed];
//  6. the named peer has failed: [ErrProcFailed], with its rank in a [FailedError].
//
// Agree and Shrink know neither 2 nor 3: they are what still works when nothing else does.
//
// # Agreement
//
// Votes go up a binomial tree and the decision comes down. A rank returns as soon as it has the
// decision and goes on answering questions about it: while it waits in other calls, and after its
// program has returned, in [Run]. If the root fails, the first rank that is left becomes the next
// one. It asks all others first, and if one of them knows a decision, that stays. The promise is
// about ranks that do not fail: one may decide, return, act and fail before anybody else has heard
// of it, and those that are left may then decide otherwise.
//
// # What it needs
//
// The machine must offer a failure detector ([protocols.Detector]), which decides how soon a
// failure is known and whether hangs are. With a detector that can be wrong no promise is made; a
// rank that others take for failed finds that out by [ErrExcluded] when it agrees or shrinks.
package ulfm
