//go:build !linux

package tcp_test

import "syscall"

// diesWithThread has nothing to say where that is not possible.
func diesWithThread() *syscall.SysProcAttr { return nil }
