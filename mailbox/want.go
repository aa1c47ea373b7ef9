package mailbox

import (
	"fmt"
	"math"
)

// Want says which messages a receive accepts. The zero Want accepts any.
//
// Every rank that waits has one, and so have the frames on its small stack: hence few and small fields.
type Want struct {
	from   int32  // sender + 1, 0 for any, closed for none
	kinds  uint16 // the first kind, and the last one in the upper half; of no meaning unless narrowed by kind
	how    uint16 // in which ways it is narrowed
	hidden uint32 // how many of the highest epochs are not accepted
}

const closed = -1

// Ways in which a Want is narrowed.
const (
	byKind  = 1 << iota
	byEpoch // to the highest epoch that is not hidden; otherwise earlier ones will do, too
)

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
func OfKinds(first, last Kind) Want { return Want{kinds: uint16(first) | uint16(last)<<8, how: byKind} }

// OfKind narrows w to one kind.
func (w Want) OfKind(k Kind) Want {
	w.kinds, w.how = uint16(k)|uint16(k)<<8, w.how|byKind
	return w
}

// UpTo narrows w to messages of that epoch and earlier ones. A rank that takes part in one
// operation after the other accepts what is late, to drop it, and leaves in the mailbox
// what others have begun before it is ready.
func (w Want) UpTo(epoch uint32) Want {
	w.hidden, w.how = math.MaxUint32-epoch, w.how&^byEpoch
	return w
}

// OfEpoch narrows w to messages of that epoch only, such as the answers to the latest of several questions. What is late stays in the mailbox,
// too; to drop it, see UpTo.
func (w Want) OfEpoch(epoch uint32) Want {
	w.hidden, w.how = math.MaxUint32-epoch, w.how|byEpoch
	return w
}

// Sender returns the only sender that w accepts, if it names one.
func (w Want) Sender() (rank int, named bool) { return int(w.from) - 1, w.from > 0 }

// Accepts reports whether w accepts a message of that sender, kind and epoch.
func (w Want) Accepts(from int, k Kind, epoch uint32) bool {
	last := math.MaxUint32 - w.hidden
	return (w.from == 0 || w.from == int32(from)+1) &&
		(w.how&byKind == 0 || Kind(w.kinds) <= k && k <= Kind(w.kinds>>8)) &&
		(epoch == last || epoch < last && w.how&byEpoch == 0)
}

// Describe says in words what w accepts; name, if not nil, names kinds.
func (w Want) Describe(name func(Kind) string) string {
	if w.from == closed {
		return "no message"
	}
	text := "any"
	if w.how&byKind != 0 {
		first, last := Kind(w.kinds), Kind(w.kinds>>8)
		text = "kind=" + KindName(first, name)
		if first != last {
			text += ".." + KindName(last, name)
		}
	}
	if from, named := w.Sender(); named {
		text += fmt.Sprintf(" from %d", from)
	}
	switch last := math.MaxUint32 - w.hidden; {
	case w.how&byEpoch != 0 || last == 0:
		text += fmt.Sprintf(" epoch=%d", last)
	case last < math.MaxUint32:
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
	return fmt.Appendf(nil, "%d %d %d %d", w.from, w.kinds, w.how, w.hidden), nil
}

// UnmarshalText reads what MarshalText writes.
func (w *Want) UnmarshalText(text []byte) error {
	if _, err := fmt.Sscanf(string(text), "%d %d %d %d", &w.from, &w.kinds, &w.how, &w.hidden); err != nil {
		return fmt.Errorf("mailbox: want %q: %w", text, err)
	}
	return nil
}
