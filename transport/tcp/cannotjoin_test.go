package tcp

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Errors of the network are told in plain words, without the calls that they come from.
func TestErrorsOfTheNetworkAreToldInPlainWords(t *testing.T) {
	of := func(err error) error {
		return fmt.Errorf("wire: no hello: %w", &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", err)})
	}
	other := errors.New("frame of type 9")
	for err, want := range map[error]string{
		of(syscall.ECONNRESET):                           errGone.Error(),
		of(syscall.EPIPE):                                errGone.Error(),
		io.ErrUnexpectedEOF:                              errGone.Error(),
		of(io.EOF):                                       errGone.Error(),
		of(syscall.ECONNREFUSED):                         errNobody.Error(),
		of(syscall.EADDRINUSE):                           errTaken.Error(),
		of(syscall.EADDRNOTAVAIL):                        errNotHere.Error(),
		of(syscall.EHOSTUNREACH):                         "no route to host",
		&net.OpError{Op: "dial", Net: "tcp", Err: other}: other.Error(),
		other: other.Error(),
	} {
		require.EqualError(t, plain(err), want)
	}
}
