package ulfm

import (
	"errors"
	"fmt"

	"github.com/mangrove-emu/mangrove/internal/recent"
)

// What can become of a call. ErrProcFailed is wrapped in a FailedError.
var (
	// ErrProcFailed says that a rank that the operation needs has failed.
	ErrProcFailed = errors.New("ulfm: a member has failed")
	// ErrProcFailedPending says that a receive from any source may wait for a rank that has
	// failed. It is not complete: it can still succeed once the failure is acknowledged.
	ErrProcFailedPending = errors.New("ulfm: a member has failed, and the receive is still pending")
	// ErrRevoked says that a member has revoked the communicator.
	ErrRevoked = errors.New("ulfm: the communicator is revoked")
	// ErrExcluded says that the others have gone on without this rank, as they take it for
	// failed. That takes a failure detector that is wrong.
	ErrExcluded = errors.New("ulfm: the others take this rank for failed")
)

// FailedError is an ErrProcFailed that names the ranks, in the numbers of the communicator. All ranks that know the same
// have the same error, so it is not to be changed.
type FailedError struct {
	Ranks []int
}

// Error names the ranks.
func (e *FailedError) Error() string {
	switch len(e.Ranks) {
	case 0:
		return "ulfm: a member has failed, and nobody says which"
	case 1:
		return fmt.Sprintf("ulfm: rank %d has failed", e.Ranks[0])
	}
	return fmt.Sprintf("ulfm: ranks %v have failed", e.Ranks)
}

// Unwrap makes it an ErrProcFailed.
func (e *FailedError) Unwrap() error { return ErrProcFailed }

var failedErrors recent.Results[numbers, *FailedError]

// failedError names ranks, given in ascending order.
func failedError(ranks numbers) error {
	return failedErrors.Of(ranks, func(ranks numbers) *FailedError { return &FailedError{ranks.slice()} })
}
