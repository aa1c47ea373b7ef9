package mailbox

// Kind tells a protocol's messages apart. Each protocol numbers its own.
type Kind uint8

// Message is what one rank sends another. Who sent it is not part of it: the machine
// tells the receiver.
//
// Four words in four fields are the most that Go keeps in registers; a rank's stack has
// no room to copy larger messages about.
type Message struct {
	Kind    Kind   // what the message means to the protocol
	Epoch   uint32 // which operation it belongs to, so that late ones are recognised
	A       int64  // for the protocol
	Payload string // optional; immutable, so that sender and receivers can share it
}

// Bytes is the size the LogGP model charges for: that of the payload, and at least one.
func (m Message) Bytes() int { return max(1, len(m.Payload)) }
