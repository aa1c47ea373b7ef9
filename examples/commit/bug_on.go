//go:build bug

package commit

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// told gives up after a while. That is the bug: others may have been told to commit.
func told(p protocols.Proc) mailbox.Kind {
	if _, m, ok := p.RecvUntil(mailbox.OfKinds(abort, commit), p.Now()+2*phase); ok {
		return m.Kind
	}
	return abort
}

// inAHurry has who takes over commit as soon as it knows of somebody who is prepared to. That is the bug: if it fails, too, those who live know of nobody.
const inAHurry = true
