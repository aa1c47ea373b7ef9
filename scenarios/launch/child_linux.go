package launch

import "syscall"

// childAttributes make a process die with the one that started it, even if it is stopped, and
// keep Ctrl-C of the terminal from it: the launcher decides.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// agentAttributes keep Ctrl-C of the terminal from what connects to an agent.
func agentAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
