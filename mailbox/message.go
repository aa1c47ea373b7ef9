package mailbox

// Kind tells a protocol's messages apart. Each protocol numbers its own.
type Kind uint8

// Message is what one rank sends another.
type Message struct {
	From    int    // the sender; the machine fills it in
	Kind    Kind   // what the message means to the protocol
	Epoch   uint32 // which operation it belongs to, so that late ones are recognised
	A, B    int64  // for the protocol; they travel cheapest within 32 bits
	Payload []byte // optional; copied when sent
}

// Bytes is the size the LogGP model charges for: that of the payload, and at least one.
func (m *Message) Bytes() int { return max(1, len(m.Payload)) }
