package collective

import "strings"

// pieces makes many short payloads out of a few long ones, as each piece of memory takes more than a few bytes.
type pieces struct{ all strings.Builder }

// text is a payload of its own.
func (p *pieces) text(payload []byte) string {
	const long = 1024
	if p.all.Cap()-p.all.Len() < len(payload) {
		p.all.Reset()
		p.all.Grow(max(long, len(payload)))
	}
	begin := p.all.Len()
	p.all.Write(payload)
	return p.all.String()[begin:]
}
