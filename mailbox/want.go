package mailbox

import (
	"fmt"
	"math"
)

// Want says which messages a receive accepts. The zero Want accepts any.
type Want struct {
	from      int32  // sender + 1, 0 for any, closed for none
	low, high int16  // first and last kind + 1, 0 for any
	hidden    uint32 // how many of the highest epochs are not accepted
}

const closed = -1

// Any accepts every message; None accepts no message.
var (
	Any  = Want{}
	None = Want{from: closed}
)

// From accepts messages of one sender.
func From(rank int) Want {
	if rank < 0 || rank > math.MaxInt32-1 {
		panic(fmt.Sprintf("mailbox: From(%d), want a rank of 0 or more", rank))
	}
	return Want{from: int32(rank) + 1}
}

// OfKind accepts messages of one kind.
func OfKind(k Kind) Want { return OfKinds(k, k) }

// OfKinds accepts messages of all kinds from the first to the last.
func OfKinds(first, last Kind) Want { return Want{low: int16(first) + 1, high: int16(last) + 1} }

// OfKind narrows w to one kind.
func (w Want) OfKind(k Kind) Want {
	w.low, w.high = int16(k)+1, int16(k)+1
	return w
}

// UpTo narrows w to messages of that epoch and earlier ones. A rank that takes part in one
// operation after the other accepts what is late, to drop it, and leaves in the mailbox
// what others have begun before it is ready.
func (w Want) UpTo(epoch uint32) Want {
	w.hidden = math.MaxUint32 - epoch
	return w
}

// Sender returns the only sender that w accepts, if it names one.
func (w Want) Sender() (rank int, named bool) { return int(w.from) - 1, w.from > 0 }

// Accepts reports whether w accepts a message of that sender, kind and epoch.
func (w Want) Accepts(from int, k Kind, epoch uint32) bool {
	return (w.from == 0 || w.from == int32(from)+1) &&
		(w.low == 0 || w.low <= int16(k)+1 && int16(k)+1 <= w.high) &&
		epoch <= math.MaxUint32-w.hidden
}

// Describe says in words what w accepts; name, if not nil, names kinds.
func (w Want) Describe(name func(Kind) string) string {
	if w.from == closed {
		return "no message"
	}
	text := "any"
	if w.low != 0 {
		text = "kind=" + KindName(Kind(w.low-1), name)
	}
	if w.low != w.high {
		text += ".." + KindName(Kind(w.high-1), name)
	}
	if from, named := w.Sender(); named {
		text += fmt.Sprintf(" from %d", from)
	}
	switch last := math.MaxUint32 - w.hidden; last {
	case math.MaxUint32:
	case 0:
		text += " epoch=0"
	default:
		text += fmt.Sprintf(" epoch=0..%d", last)
	}
	return text
}

// String says in words what w accepts.
func (w Want) String() string { return w.Describe(nil) }

// KindName applies name and falls back to the number if name is nil, answers "" or panics,
// as a look-up in a table may do.
func KindName(k Kind, name func(Kind) string) (text string) {
	defer func() {
		if recover() != nil || text == "" {
			text = fmt.Sprint(uint8(k))
		}
	}()
	if name != nil {
		text = name(k)
	}
	return text
}

// MarshalText lets machines tell each other what a rank waits for.
func (w Want) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%d %d %d %d", w.from, w.low, w.high, w.hidden), nil
}

// UnmarshalText reads what MarshalText writes.
func (w *Want) UnmarshalText(text []byte) error {
	if _, err := fmt.Sscanf(string(text), "%d %d %d %d", &w.from, &w.low, &w.high, &w.hidden); err != nil {
		return fmt.Errorf("mailbox: want %q: %w", text, err)
	}
	return nil
}
