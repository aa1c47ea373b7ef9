package tcp_test

import "syscall"

// diesWithThread has a process be killed when the thread ends that has started it.
func diesWithThread() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
