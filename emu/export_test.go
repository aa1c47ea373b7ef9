package emu

// ExchangeAtMost has parts exchange about so many bytes of mail with each other at once until the test is over.
func ExchangeAtMost(t interface{ Cleanup(func()) }, bytes int) {
	usual := exchangedBytes
	t.Cleanup(func() { exchangedBytes = usual })
	exchangedBytes.perRank, exchangedBytes.each = 0, bytes
}

// ListAtMost has reports list so many ranks that wait for ever until the test is over.
func ListAtMost(t interface{ Cleanup(func()) }, ranks int) {
	usual := longestList
	t.Cleanup(func() { longestList = usual })
	longestList = ranks
}
