//go:build unix

package tcp

import (
	"io"
	"syscall"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// canAsk says that the kernel can be asked without waiting.
const canAsk = true

// readNow reads what has come.
func readNow(fd uintptr, text []byte) (int, error) {
	for {
		n, err := syscall.Read(int(fd), text)
		switch {
		case err == syscall.EINTR:
		case err == syscall.EAGAIN:
			return 0, wire.ErrNotYet
		case err != nil:
			return 0, err
		case n == 0 && len(text) > 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

// peekNow reports whether something can be read, be it the end, without taking it. An error does not come again.
func peekNow(fd uintptr) (bool, error) {
	var text [1]byte
	for {
		switch _, _, err := syscall.Recvfrom(int(fd), text[:], syscall.MSG_PEEK); err {
		case syscall.EINTR:
		case syscall.EAGAIN:
			return false, nil
		default:
			return true, err
		}
	}
}

// writeNow writes what the kernel takes.
func writeNow(fd uintptr, text []byte) (int, error) { return syscall.Write(int(fd), text) }
