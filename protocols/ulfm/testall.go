package ulfm

import "slices"

// Testall is like Waitall, but does not wait: done is false if an operation is still under way. If one of them has failed the error is a StatusError.
func Testall(requests ...*Request) (all []Received, done bool, err error) {
	all = make([]Received, len(requests))
	first := slices.IndexFunc(requests, (*Request).active)
	if first < 0 {
		return all, true, nil
	}
	rank := requests[first].c.r
	rank.begin("Testall")
	if anyFailed(requests) {
		failed := &StatusError{Errors: make([]error, len(requests))}
		err = failed.of(requests, all)
		return all, !slices.ContainsFunc(requests, (*Request).active), err
	}
	if slices.ContainsFunc(requests, (*Request).unfinished) {
		rank.pause()
		return all, false, nil
	}
	for i, r := range requests {
		if r.active() {
			all[i], _ = r.finish(nil)
		}
	}
	return all, true, nil
}

// Testany is like Waitany, but does not wait: done is false if all operations are still under way. If there are none it is done, with index -1.
func Testany(requests ...*Request) (index int, got Received, done bool, err error) {
	first := slices.IndexFunc(requests, (*Request).active)
	if first < 0 {
		return -1, Received{}, true, nil
	}
	rank := requests[first].c.r
	rank.begin("Testany")
	for i, r := range requests {
		if !r.active() {
			continue
		}
		if done, err := r.outcome(); done || err != nil {
			got, err = r.finish(err)
			return i, got, true, err
		}
	}
	rank.pause()
	return -1, Received{}, false, nil
}

// active reports whether it may still happen that the operation is complete, or fails.
func (r *Request) active() bool { return r != nil && !r.over }

// unfinished reports whether the operation is still under way.
func (r *Request) unfinished() bool {
	if !r.active() {
		return false
	}
	done, err := r.outcome()
	return !done && err == nil
}
