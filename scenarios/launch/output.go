package launch

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"
)

// serialized lets several processes and goroutines write to one writer, one after the other.
func serialized(w io.Writer) io.Writer {
	if _, ok := w.(*os.File); ok {
		return w // the kernel does so
	}
	return &lockedWriter{w: w}
}

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(text)
}

// stderrTail passes on what a process says, and keeps the last of it: that is why it has ended, if it
// has ended badly.
type stderrTail struct {
	to   io.Writer
	last []byte
}

// longestTail is how many bytes are kept.
const longestTail = 1 << 10

func (s *stderrTail) Write(text []byte) (int, error) {
	s.last = append(s.last, text...)
	s.last = s.last[max(0, len(s.last)-longestTail):]
	return s.to.Write(text)
}

// explain adds the last line to how a process has ended, once it has.
func (s *stderrTail) explain(err error) error {
	line := bytes.TrimSpace(s.last)
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	if err == nil || len(line) == 0 {
		return err
	}
	return fmt.Errorf("%w: %s", err, line)
}
