package view

// Tests look at what a page has before it is JSON.

type (
	Data      = pageData
	Column    = column
	Messages  = messageColumns
	Ancestors = ancestorColumns
	Fault     = faultItem
	Wait      = waitItem
	Fate      = fate
	Storage   = storageColumns
	Bars      = barColumns
)

const (
	Received = fateReceived
	Lost     = fateLost
	Cut      = fateCut
	Unsent   = fateUnsent
	Dropped  = fateDropped
)

var (
	NewData  = newData
	Squeezed = squeezed
)

func (r Range) Has(rank int) bool { return r.has(rank) }
