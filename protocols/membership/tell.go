package membership

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// telling is how a rank that knows more than its view makes sure that the root does: it reports,
// and waits for the receipt. A root that gives none has failed itself, and the next one in the
// list is told of both.
type telling struct {
	to       peer
	number   int64
	sent     Changes    // under way to that root
	deadline clock.Time // of the receipt
	root     int        // who has been told
	told     Changes    // of what
	heard    Changes    // what came with inquiries, and counts as told for a while
	patience clock.Time // until when
}

// silent is a rank that has told nothing and waits for no receipt.
var silent = telling{deadline: clock.Never, patience: clock.Never}

// tell reports to the root what it does not know yet. A rank that knows of no member has nobody to tell.
func (m *member) tell(root int) {
	if root < 0 {
		return
	}
	t := &m.telling
	t.note(root, "")
	if t.deadline != clock.Never || t.told.Includes(m.known.Beyond(m.view)) {
		return
	}
	kind := newsOf(m.viewOf(m.view), m.known).report()
	t.to, t.number, t.sent = m.peer(root), m.number(), m.known
	m.proc.Send(root, mailbox.Message{Kind: kind, Epoch: m.known.Digest(), A: t.number, Payload: string(m.known)})
	t.deadline = m.proc.Now() + m.answer(m.known)
}

// note says that a root knows of something. What its predecessor knew does not count.
func (t *telling) note(root int, known Changes) {
	if t.root != root {
		t.root, t.told = root, ""
	}
	t.told = t.told.Merge(known)
}

// hearReport gives a receipt and notes the news.
func (m *member) hearReport(from int, msg mailbox.Message) {
	m.proc.Send(from, mailbox.Message{Kind: acknowledgement(msg.Kind), Epoch: msg.Epoch, A: msg.A})
	m.learn(Changes(msg.Payload))
}

// hearsay notes news that came with an inquiry. Most likely the root knows, and has a view change
// under way. If everybody reported what it has heard, the root would have no time for anything
// else; so only what has stayed news for as long as a view change takes will be, and not by all
// at once.
func (m *member) hearsay(news Changes) {
	if m.known.Includes(news) {
		return
	}
	m.learn(news)
	t := &m.telling
	t.note(m.viewOf(m.known).Root(), news)
	t.heard = t.heard.Merge(news)
	turn := m.options.Spacing.Times(2 * m.proc.Rank())
	t.patience = m.proc.Now() + m.patience(m.group.Height(m.group.Ranks)+2, m.known) + turn
}

// doubtHearsay has hearsay reported that should be known to all by now.
func (t *telling) doubtHearsay() {
	t.told, t.heard, t.patience = t.told.Beyond(t.heard), "", clock.Never
}

// hearReceipt notes that a report or a request has come to somebody.
func (m *member) hearReceipt(from int, msg mailbox.Message) {
	t := &m.telling
	if t.deadline != clock.Never && from == t.to.rank && msg.A == t.number {
		t.deadline = clock.Never
		t.told = t.told.Merge(t.sent)
	}
	m.entry.received(m, from, msg)
}

// giveUpOnRoot suspects a root that has given no receipt.
func (m *member) giveUpOnRoot() {
	m.telling.deadline = clock.Never
	m.suspect(m.telling.to)
}
