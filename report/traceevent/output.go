package traceevent

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// output writes the objects of the format. Its methods append to a buffer; after an error they
// have no effect.
type output struct {
	w        io.Writer
	buf      []byte
	err      error
	kindName func(mailbox.Kind) string
	kinds    [256][]byte // their names as JSON
	process  int         // how many runs there are before this one
}

// full is how long the buffer gets before it is written.
const full = 1 << 16

func (o *output) flush() error {
	if o.err == nil {
		_, o.err = o.w.Write(o.buf)
	}
	o.buf = o.buf[:0]
	return o.err
}

func (o *output) text(s string) { o.buf = append(o.buf, s...) }

// number writes a number after a text.
func (o *output) number(before string, n int64) {
	o.buf = strconv.AppendInt(append(o.buf, before...), n, 10)
}

// quote writes a text as JSON after another one as it is.
func (o *output) quote(before, s string) {
	o.text(before)
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, err := json.Marshal(s)
			if err != nil {
				panic("traceevent: text that JSON does not have: " + err.Error())
			}
			o.buf = append(o.buf, quoted...)
			return
		}
	}
	o.text(`"`)
	o.text(s)
	o.text(`"`)
}

// open begins an object of a phase on a thread, after others.
func (o *output) open(phase byte, thread int) {
	o.text(",\n{\"ph\":\"")
	o.buf = append(o.buf, phase)
	o.number(`","pid":`, int64(o.process+1))
	o.number(`,"tid":`, int64(thread))
}

// close ends an object.
func (o *output) close() {
	o.buf = append(o.buf, '}')
	if len(o.buf) >= full {
		_ = o.flush() // the last flush says so
	}
}

// metadata is what stands between thread and name of an event that names something. Chrome writes a time and
// a category there, too, and some who read its files rely on both.
const metadata = `,"ts":0,"cat":"__metadata","name":`

// thread names a thread and says where it is shown.
func (o *output) thread(thread, place int, name string) {
	o.open('M', thread)
	o.quote(metadata+`"thread_name","args":{"name":`, name)
	o.text("}")
	o.close()
	o.open('M', thread)
	o.number(metadata+`"thread_sort_index","args":{"sort_index":`, int64(place))
	o.text("}")
	o.close()
}

// slice writes an operation of a port.
func (o *output) slice(thread int, a *Act) {
	o.open('X', thread)
	o.number(`,"ts":`, int64(a.Start))
	o.number(`,"dur":`, int64(a.End-a.Start))
	o.text(`,"name":`)
	o.buf = append(o.buf, o.kind(a.Event)...)
	o.quote(`,"cat":`, a.Kind.String())
	o.message(a.Event)
	o.close()
}

// storage writes an operation of storage.
func (o *output) storage(thread int, a *Act) {
	o.open('X', thread)
	o.number(`,"ts":`, int64(a.Start))
	o.number(`,"dur":`, int64(a.End-a.Start))
	name := a.Kind.String()
	if a.Step != "" {
		name += " " + a.Step
	}
	o.quote(`,"name":`, name)
	o.quote(`,"cat":`, "storage")
	o.close()
}

// flow writes one end of an arrow, which belongs to the slice that starts then.
func (o *output) flow(phase byte, thread int, at clock.Time, id int64) {
	o.open(phase, thread)
	o.number(`,"ts":`, int64(at))
	o.number(`,"name":"message","cat":"message","id":`, id)
	if phase == 'f' {
		o.text(`,"bp":"e"`)
	}
	o.close()
}

// instant begins an instant. The caller adds arguments and closes it.
func (o *output) instant(thread int, at clock.Time, name, category string) {
	o.open('i', thread)
	o.number(`,"s":"t","ts":`, int64(at))
	o.quote(`,"name":`, name)
	o.quote(`,"cat":`, category)
}

// message adds a message as arguments.
func (o *output) message(e *report.Event) {
	o.number(`,"args":{"peer":`, int64(e.Peer))
	o.text(`,"kind":`)
	o.buf = append(o.buf, o.kind(e)...)
	o.number(`,"epoch":`, int64(e.Epoch))
	o.number(`,"a":`, e.A)
	o.text("}")
}

var notice = []byte(`"notice"`)

// kind returns the name of a kind as JSON.
func (o *output) kind(e *report.Event) []byte {
	if e.Kind == report.EventNotice {
		return notice
	}
	if name := o.kinds[e.Msg]; name != nil {
		return name
	}
	before := len(o.buf)
	o.quote("", mailbox.KindName(e.Msg, o.kindName))
	o.kinds[e.Msg] = append([]byte{}, o.buf[before:]...)
	o.buf = o.buf[:before]
	return o.kinds[e.Msg]
}
