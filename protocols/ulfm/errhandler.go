package ulfm

import "fmt"

// Errhandler is called with every error that a call on a communicator returns, before it does.
// Communicators that are made of one have the same. It may panic, and the program recover: so it leaves the call as longjmp does
// in C, and goes on with what it likes.
type Errhandler func(c *Comm, err error)

// ErrorsReturn does nothing: calls return their errors. So it is unless another was set. (In MPI
// a program has to ask for this.)
func ErrorsReturn(*Comm, error) {}

// ErrorsAbort ends the run, as MPI does unless a program asks for something else.
func ErrorsAbort(c *Comm, err error) { c.abort(err) }

// SetErrhandler says what is called when a call on this communicator fails.
func (c *Comm) SetErrhandler(h Errhandler) { c.more().handler = h }

// GetErrhandler returns what is called when a call on this communicator fails, so that a program can put it back later.
func (c *Comm) GetErrhandler() Errhandler {
	if h := c.extra.handler; h != nil {
		return h
	}
	return ErrorsReturn
}

// inherit has it handle errors as another one does.
func (c *Comm) inherit(from *Comm) {
	if from.extra.handler != nil || c.extra.handler != nil {
		c.more().handler = from.extra.handler
	}
}

// Abort ends the run, for all ranks.
func (c *Comm) Abort(code int) {
	c.abort(fmt.Errorf("ulfm: the program has aborted with code %d", code))
}

// AbortError is what a run ends with that a rank has aborted.
type AbortError struct {
	Rank int    // of the machine
	Comm string // the communicator that the call was on
	Err  error
}

// Error says who has aborted the run, and why.
func (e *AbortError) Error() string {
	return fmt.Sprintf("ulfm: rank %d aborts the run, on %s: %v", e.Rank, e.Comm, e.Err)
}

// Unwrap is why.
func (e *AbortError) Unwrap() error { return e.Err }

func (c *Comm) abort(err error) { panic(&AbortError{c.r.Rank(), c.String(), err}) }

// raise is how all calls end: an error takes time, and goes to the error handler.
func (c *Comm) raise(err error) error {
	if err == nil {
		return nil
	}
	c.remember(err)
	c.r.pause()
	if h := c.extra.handler; h != nil {
		h(c, err)
	}
	return err
}
