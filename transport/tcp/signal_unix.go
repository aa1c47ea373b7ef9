//go:build unix

package tcp

import (
	"os"
	"syscall"
)

// killSelf ends this process at once. Nothing of it runs any more: no deferred function, no
// finalizer, no other goroutine.
func killSelf() {
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {} // the signal comes before anything else does
}

// stopSelf stops this process with all its goroutines. The kernel still takes what others send it.
func stopSelf() { syscall.Kill(os.Getpid(), syscall.SIGSTOP) }
