package tcp

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// ErrKey says that a process cannot join because it has another key than those whom it would join.
var ErrKey = errors.New("has another key")

// errVersion and errEncryption are other reasons that those can mend who start the processes.
var (
	errVersion    = errors.New("is another version of this program")
	errEncryption = errors.New("encrypts and this one does not, or the other way round; want all or none to do so")
)

// nameOf is how the coordinator is called, and where it is.
func nameOf(address string, process int) string {
	if process == coordinatorProcess {
		return "the launcher at " + address
	}
	return fmt.Sprintf("process %d at %s", process, address)
}

// cannotJoin says in one sentence why this process takes no part.
func (n *Node) cannotJoin(address string, process int, err error) error {
	name := nameOf(address, process)
	if why := foreign(err); why != nil {
		return fmt.Errorf("process %d cannot join: %s %w", n.cfg.Process, name, why)
	}
	if errors.Is(err, wire.ErrRefused) {
		return fmt.Errorf("process %d cannot join %s: %w", n.cfg.Process, name, refusal{err})
	}
	return fmt.Errorf("process %d cannot join %s: %w", n.cfg.Process, name, plain(err))
}

// refusal is what the other side has said, without who has passed it on.
type refusal struct{ error }

func (r refusal) Error() string { return strings.TrimPrefix(r.error.Error(), "wire: ") }
func (r refusal) Unwrap() error { return r.error }

// foreign is why the other side is not the one that was looked for; nil if it may be.
func foreign(err error) error {
	record := tls.RecordHeaderError{}
	switch {
	case errors.Is(err, wire.ErrJob), errors.Is(err, wire.ErrSecret), errors.Is(err, errForeignKey):
		return ErrKey
	case errors.Is(err, wire.ErrVersion):
		return errVersion
	case errors.Is(err, wire.ErrEncrypted), errors.As(err, &record):
		return errEncryption
	}
	return nil
}

// Ends of connections, in plain words.
var (
	errGone    = errors.New("it has ended, or the network has lost it")
	errNobody  = errors.New("nobody listens there")
	errTaken   = errors.New("the port is taken, want a free one")
	errNotHere = errors.New("it is no address of this host")
)

// plain is an error of the network without the names of calls.
func plain(err error) error {
	var call *os.SyscallError
	var operation *net.OpError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, net.ErrClosed):
		return errGone
	case errors.Is(err, syscall.ECONNREFUSED):
		return errNobody
	case errors.Is(err, syscall.EADDRINUSE):
		return errTaken
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return errNotHere
	case errors.As(err, &call):
		return call.Err
	case errors.As(err, &operation):
		return operation.Err
	}
	return err
}

// AddressError says why nobody can listen at an address.
type AddressError struct {
	Address string
	Err     error
}

// Error is one sentence.
func (e *AddressError) Error() string {
	return fmt.Sprintf("tcp: nobody can listen at %s: %v", e.Address, e.Err)
}

// Unwrap is why.
func (e *AddressError) Unwrap() error { return e.Err }
