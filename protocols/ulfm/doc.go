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
// Calls have the names of MPI and the order of its arguments, less those that Go does not need:
// what MPI returns by pointers are results, a buffer is a string, and a communicator is what the
// call is a method of.
//
// # What a rank knows
//
// Errors are local: that a call succeeds says nothing about other ranks. A rank knows what its
// failure detector knows whenever it is in a call, and what the outcome of [Comm.Agree] and
// [Comm.Shrink] has told it. Two ranks may know of different failures, or of the same in another
// order; a communicator reports failures of its own members only.
//
// # The outcome of a call
//
// The first of these that applies:
//
//  1. the operation is complete: success;
//  2. the communicator is revoked: [ErrRevoked];
//  3. it is part of a collective operation, and a member is known to have failed: [ErrProcFailed];
//  4. the peer is [None] or the caller itself: no error because of failures;
//  5. a receive from [AnySource] while there are failures that are not acknowledged: if the call
//     waits, or is a probe, [ErrProcFailed]; if it was begun before, [ErrProcFailedPending], and
//     it may still succeed after an acknowledgement;
//  6. the named peer has failed: [ErrProcFailed], with its rank in a [FailedError].
//
// Agree and Shrink know neither 2 nor 3: they are what still works when nothing else does. A call
// that fails, or finds nothing new, takes a tick: so a program may call again until something has
// happened.
//
// What was begun (Irecv, Iagree, Ibarrier, Ibcast) goes on whenever the program is in a call, whichever that is.
//
// Calls that make communicators ([Comm.Create], [Comm.Dup], [Comm.Split]) are collective operations
// like others. Some members may have the new communicator while others have an error, so a program
// has to Agree before it uses it, unless it asks for something else ([Comm.SetErrorUniform]).
//
// # Agreement
//
// Votes go up a binomial tree and the decision comes down. A rank returns as soon as it has the
// decision and goes on answering questions about it: while it waits in other calls, and after its
// program has returned, in [Run]. If the root fails, the first rank that is left becomes the next
// one. It asks all others first, and if one of them knows a decision, that stays. The promise is
// about ranks that do not fail: one may decide, return, act and fail before anybody else has heard
// of it, and those that are left may then decide otherwise. [Options] has other algorithms.
//
// # Growing again
//
// A rank that has failed may be started anew by the schedule of the run. It is another process
// then: it knows nothing, and has failed for good in all communicators that it was in. Those who
// are left call [Comm.Spawn], the new one [Comm.Parent]; both call [Intercomm.Merge], and Split puts
// ranks back in order.
//
// # What it needs
//
// The machine must offer a failure detector ([protocols.Detector]), which decides how soon a
// failure is known and whether hangs are. With a detector that can be wrong no promise is made; a
// rank that others take for failed finds that out by [ErrExcluded] when it agrees or shrinks.
package ulfm
