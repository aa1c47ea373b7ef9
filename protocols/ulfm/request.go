package ulfm

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/mailbox"
)

// Request is an operation that was begun and is completed by Wait, Test, Waitany or Waitall: a
// send, a receive, an agreement. Messages match receives in the order in which these were posted.
type Request struct {
	c    *Comm
	call string // for diagnoses
	err  error  // with which it is over

	over    bool // complete, failed or cancelled: nothing will happen to it any more
	matched bool
	kind    mailbox.Kind // of the messages that a receive waits for
	source  int32        // the rank of the machine that they come from, if it is one
	from    int
	tag     int64
	got     Received

	operation operation // a collective one
	agreement *agreement
	flags     int64
	made      *Comm
}

// Wait returns once the operation is complete, a receive with the message. ErrProcFailedPending
// leaves it as it was: it can be waited for again, best after FailureAck. After any other error it
// is over, and to wait for it again returns the same.
func (r *Request) Wait() (Received, error) {
	if r.over {
		return r.result("Wait")
	}
	r.c.r.begin(r.call)
	return r.wait()
}

func (r *Request) wait() (Received, error) {
	for {
		if done, err := r.outcome(); done || err != nil {
			return r.finish(err)
		}
		r.c.r.wait(doing{call: r.call, c: r.c, peer: int32(r.from), request: r})
	}
}

// Test is like Wait, but does not wait: done is false if the operation is still under way.
func (r *Request) Test() (got Received, done bool, err error) {
	if r.over {
		got, err = r.result("Test")
		return got, true, err
	}
	r.c.r.begin(r.call)
	done, err = r.outcome()
	if !done && err == nil {
		r.c.r.pause()
		return Received{}, false, nil
	}
	got, err = r.finish(err)
	return got, r.over, err
}

// Flags is what an agreement that is complete has come to.
func (r *Request) Flags() int64 { return r.flags }

// Comm is the communicator that an operation that is complete has made.
func (r *Request) Comm() *Comm { return r.made }

// Cancel gives a receive up. A message that has matched already is lost.
func (r *Request) Cancel() {
	r.over = true
	if r.operation != nil {
		r.operation.cancel()
	}
	r.c.posted = slices.DeleteFunc(r.c.posted, func(other *Request) bool { return other == r })
}

// result is what an operation that is over has come to.
func (r *Request) result(call string) (Received, error) {
	if r.err == nil && !r.matched {
		panic(fmt.Sprintf("ulfm: %s for a receive that was given up", call))
	}
	return r.got, r.err
}

// outcome says whether the operation is complete, or why it fails. Whoever could change that is
// watched then.
func (r *Request) outcome() (done bool, err error) {
	switch {
	case r.err != nil || r.matched:
		return r.matched, r.err
	case r.agreement != nil:
		return r.agreed()
	case r.operation != nil:
		r.matched, err = r.operation.advance()
		return r.matched, err
	}
	return false, r.failure()
}

// finish returns what has become of the operation.
func (r *Request) finish(err error) (Received, error) {
	if err == nil {
		r.over = true
		return r.got, nil
	}
	if err != ErrProcFailedPending {
		r.Cancel()
		r.err = err
	}
	return Received{}, r.c.raise(err)
}

// ErrPending is what Waitall says of operations that were under way when another one failed. They
// still are.
var ErrPending = errors.New("ulfm: the operation is still under way")

// StatusError is what Waitall returns if an operation has failed: what has become of each of them,
// nil for those that are complete.
type StatusError struct {
	Errors []error
}

// Error tells of the first that has failed.
func (e *StatusError) Error() string {
	for i, err := range e.Errors {
		if err != nil && err != ErrPending {
			return fmt.Sprintf("ulfm: operation %d of %d has failed: %v", i, len(e.Errors), err)
		}
	}
	return "ulfm: no operation has failed"
}

// Unwrap are the errors of those that have failed.
func (e *StatusError) Unwrap() (failed []error) {
	for _, err := range e.Errors {
		if err != nil && err != ErrPending {
			failed = append(failed, err)
		}
	}
	return failed
}

// Waitany waits until one of the operations is complete or fails, and returns which. Nil requests
// and those that are over do not count; if there are no others it returns -1.
func Waitany(requests ...*Request) (index int, got Received, err error) {
	active := func(r *Request) bool { return r != nil && !r.over }
	first := slices.IndexFunc(requests, active)
	if first < 0 {
		return -1, Received{}, nil
	}
	rank := requests[first].c.r
	for rank.begin("Waitany"); ; rank.wait(doing{call: "Waitany", c: requests[first].c, peer: None, request: requests[first]}) {
		for i, r := range requests {
			if !active(r) {
				continue
			}
			if done, err := r.outcome(); done || err != nil {
				got, err = r.finish(err)
				return i, got, err
			}
		}
	}
}

// Waitsome waits until at least one of the operations is complete or fails, and returns all of which that
// is so, with what they have received. The error is a StatusError about these if one of them has failed. Nil requests and
// those that are over do not count; if there are no others it returns none.
func Waitsome(requests ...*Request) (indices []int, all []Received, err error) {
	first, got, err := Waitany(requests...)
	if first < 0 {
		return nil, nil, nil
	}
	failed := &StatusError{Errors: []error{err}}
	indices, all = []int{first}, []Received{got}
	for i, r := range requests {
		if i == first || r == nil || r.over {
			continue
		}
		if done, err := r.outcome(); done || err != nil {
			got, err = r.finish(err)
			indices, all, failed.Errors = append(indices, i), append(all, got), append(failed.Errors, err)
		}
	}
	if failed.Unwrap() == nil {
		return indices, all, nil
	}
	return indices, all, failed
}

// Waitall waits until all of the operations are complete, or one of them fails: the error is a
// StatusError then, and those that are not over can be waited for again. Nil requests and those
// that are over do not count.
func Waitall(requests ...*Request) ([]Received, error) {
	all := make([]Received, len(requests))
	failed := &StatusError{Errors: make([]error, len(requests))}
	begun := false
	for i, r := range requests {
		if r == nil || r.over {
			continue
		}
		if !begun {
			begun = true
			r.c.r.begin("Waitall")
		}
		for {
			done, err := r.outcome()
			if done && err == nil {
				all[i], _ = r.finish(nil)
				break
			}
			if anyFailed(requests[i:]) {
				return all, failed.of(requests, all)
			}
			r.c.r.wait(doing{call: "Waitall", c: r.c, peer: int32(r.from), request: r})
		}
	}
	return all, nil
}

// anyFailed reports whether one of the operations fails.
func anyFailed(requests []*Request) bool {
	return slices.ContainsFunc(requests, func(r *Request) bool {
		if r == nil || r.over {
			return false
		}
		_, err := r.outcome()
		return err != nil
	})
}

// of collects what has become of each operation.
func (e *StatusError) of(requests []*Request, all []Received) error {
	for i, r := range requests {
		if r == nil || r.over {
			continue
		}
		switch done, err := r.outcome(); {
		case done || err != nil:
			all[i], e.Errors[i] = r.finish(err)
		default:
			e.Errors[i] = ErrPending
		}
	}
	return e
}
