package launch

import (
	"encoding/binary"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/parts"
)

// letters are messages between the processes of a job, each read when somebody asks for those of its sender. Others may be ahead: they have been told
// to go on, and send what belongs to that before this process has been told.
type letters struct {
	parts.Mail
	unread [][][]byte // by sender
}

func newLetters(mail parts.Mail) *letters {
	return &letters{Mail: mail, unread: make([][][]byte, mail.Count())}
}

// from waits for the next letter of a process.
func (l *letters) from(process int) ([]byte, error) {
	for len(l.unread[process]) == 0 {
		sender, text, err := l.Receive()
		if err != nil {
			return nil, err
		}
		l.unread[sender] = append(l.unread[sender], text)
	}
	text := l.unread[process][0]
	l.unread[process] = l.unread[process][1:]
	return text, nil
}

// few are the first so many processes of a job, as a group. The others need not know when these agree on something, and may sleep.
type few struct {
	*letters
	count int
}

func (f few) Count() int { return f.count }

func (f few) Min(t clock.Time) (clock.Time, error) {
	in, err := f.Exchange(slices.Repeat([][]byte{binary.BigEndian.AppendUint64(nil, uint64(t))}, f.count))
	for _, theirs := range in {
		t = min(t, clock.Time(binary.BigEndian.Uint64(theirs)))
	}
	return t, err
}

func (f few) Exchange(out [][]byte) ([][]byte, error) {
	for process := range f.count {
		if process == f.Index() {
			continue
		}
		if err := f.Send(process, out[process]); err != nil {
			return nil, err
		}
	}
	in := make([][]byte, f.count)
	for process := range f.count {
		if process == f.Index() {
			in[process] = slices.Clone(out[process])
			continue
		}
		var err error
		if in[process], err = f.from(process); err != nil {
			return nil, err
		}
	}
	return in, nil
}
