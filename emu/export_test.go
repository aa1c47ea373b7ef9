package emu

// ExchangeAtMost has parts exchange about so many bytes of mail with each other at once until the test is over.
func ExchangeAtMost(t interface{ Cleanup(func()) }, bytes int) {
	usual := exchangedBytes
	t.Cleanup(func() { exchangedBytes = usual })
	exchangedBytes.perRank, exchangedBytes.each = 0, bytes
}
