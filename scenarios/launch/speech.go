package launch

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"
)

// together lets several processes and goroutines write to one writer, one after the other.
func together(w io.Writer) io.Writer {
	if _, ok := w.(*os.File); ok {
		return w // the kernel does so
	}
	return &oneByOne{w: w}
}

type oneByOne struct {
	mu sync.Mutex
	w  io.Writer
}

func (o *oneByOne) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.w.Write(text)
}

// speech passes on what a process says, and keeps the last of it: that is why it has ended, if it
// has ended badly.
type speech struct {
	to   io.Writer
	last []byte
}

// longestSpeech is how many bytes are kept.
const longestSpeech = 1 << 10

func (s *speech) Write(text []byte) (int, error) {
	s.last = append(s.last, text...)
	s.last = s.last[max(0, len(s.last)-longestSpeech):]
	return s.to.Write(text)
}

// explain adds the last line to how a process has ended, once it has.
func (s *speech) explain(err error) error {
	line := bytes.TrimSpace(s.last)
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	if err == nil || len(line) == 0 {
		return err
	}
	return fmt.Errorf("%w: %s", err, line)
}
