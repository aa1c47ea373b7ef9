//go:build !linux

package launch

import "syscall"

// childAttributes have nothing to say where a process cannot be made to die with the one that
// started it. Those that are not stopped notice that their input ends.
func childAttributes() *syscall.SysProcAttr { return nil }

// agentAttributes have nothing to say here.
func agentAttributes() *syscall.SysProcAttr { return nil }
