//go:build !bug

package commit

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// told waits for the coordinator's decision for as long as that takes.
func told(p protocols.Proc) mailbox.Kind {
	_, m := p.Recv(mailbox.OfKinds(abort, commit))
	return m.Kind
}

// inAHurry has who takes over commit as soon as it knows of somebody who is prepared to.
const inAHurry = false
