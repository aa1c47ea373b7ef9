//go:build unix

package mpi

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"syscall"
	"time"
)

// MPICH's launcher, and Slurm's in its place, has a connection to each process, in PMI_FD. A process whose MPI_Init does not find another one that was
// killed asks the launcher there to end all, before anybody could tell of the one that was killed. So the process that watches stands between them and
// passes on everything but that.

// connectedBy is the variable with the descriptor of the launcher's connection, and directlyBy the one that has it for a process that is watched, which
// finds another one in connectedBy.
const connectedBy, directlyBy = "PMI_FD", "MANGROVE_PMI_FD"

// launcher is the connection with the launcher; nil if there is none.
type launcher struct {
	file     *os.File
	answered chan struct{} // it has said something
}

// findLauncher is the launcher that the variable knows. Its descriptor is another one, as that of the variable must stay open for MPI.
func findLauncher(variable string) *launcher {
	given, err := strconv.Atoi(os.Getenv(variable))
	if err != nil || given < 0 {
		return nil
	}
	fd, err := syscall.Dup(given)
	if err != nil {
		return nil
	}
	syscall.CloseOnExec(fd)
	return &launcher{file: os.NewFile(uintptr(fd), variable), answered: make(chan struct{}, 1)}
}

// connect returns a descriptor for the process that is watched, with which it talks to the launcher as soon as pass is called. Both ends are open there, so
// that it does not take the end of the one that watches for that of the launcher.
func (l *launcher) connect(joined func() bool) (far int, pass func(), err error) {
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return 0, nil, err
	}
	near := os.NewFile(uintptr(pair[0]), "watched process")
	return pair[1], func() {
		go l.passAnswers(near)
		go l.passRequests(near, joined)
	}, nil
}

// passRequests passes on what the process says, unless it wants to end a job that it has not joined yet: it will exit, and the one that watches tells.
func (l *launcher) passRequests(from io.Reader, joined func() bool) {
	text := make([]byte, 1<<16)
	for {
		n, err := from.Read(text)
		if err != nil {
			return
		}
		if !joined() && bytes.Contains(text[:n], []byte("cmd=abort")) {
			continue
		}
		if _, err := l.file.Write(text[:n]); err != nil {
			return
		}
	}
}

// passAnswers passes on what the launcher says, also when the process is gone and the one that watches has a question.
func (l *launcher) passAnswers(to io.Writer) {
	text := make([]byte, 1<<16)
	for {
		n, err := l.file.Read(text)
		if err != nil {
			return
		}
		_, _ = to.Write(text[:n]) // as long as there is somebody
		l.hasAnswered()
	}
}

func (l *launcher) hasAnswered() {
	select {
	case l.answered <- struct{}{}:
	default:
	}
}

// introduce makes MPICH's mpirun believe that this process has come as far as MPI_Init: of those that have not it does not mind how they end, and
// the others would wait for them for ever. It is to have answered before this process exits.
func (l *launcher) introduce() {
	if l == nil {
		return
	}
	select {
	case <-l.answered: // something else
	default:
	}
	_, _ = l.file.WriteString("cmd=init pmi_version=1 pmi_subversion=1\n")
	select {
	case <-l.answered:
	case <-time.After(Pause): // it is another launcher
	}
}
