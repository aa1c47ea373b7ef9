package emu

import "sync"

// mailbag is mail for another part until it is sent: sheets, each filled before the next one is begun. As with a pile nothing is copied when it grows, and
// here also the sheets are used again as soon as they have been sent, for whatever part.
type mailbag struct{ sheets [][]byte }

// sheetBytes is the length of a sheet, unless one message alone is longer.
const sheetBytes = 4 << 10

// stationery are sheets that are not in use.
type stationery struct {
	mu   sync.Mutex
	free [][]byte
}

// space adds so many bytes to the mail, to be written on.
func (b *mailbag) space(n int, from *stationery) []byte {
	last := len(b.sheets) - 1
	if last < 0 || cap(b.sheets[last])-len(b.sheets[last]) < n {
		b.sheets = append(b.sheets, from.take(n))
		last++
	}
	sheet := b.sheets[last]
	b.sheets[last] = sheet[:len(sheet)+n]
	return b.sheets[last][len(sheet):]
}

// send moves sheets to a batch until it has so many bytes, at least.
func (b *mailbag) send(batch []byte, enough int, to *stationery) []byte {
	sent := 0
	for ; sent < len(b.sheets) && len(batch) < enough; sent++ {
		batch = append(batch, b.sheets[sent]...)
		to.giveBack(b.sheets[sent])
	}
	left := copy(b.sheets, b.sheets[sent:])
	clear(b.sheets[left:])
	b.sheets = b.sheets[:left]
	return batch
}

// discard empties the bag.
func (b *mailbag) discard(to *stationery) {
	for _, sheet := range b.sheets {
		to.giveBack(sheet)
	}
	clear(b.sheets)
	b.sheets = b.sheets[:0]
}

// take returns an empty sheet that has room for so many bytes.
func (s *stationery) take(n int) []byte {
	if n > sheetBytes {
		return make([]byte, 0, n)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.free) - 1
	if last < 0 {
		return make([]byte, 0, sheetBytes)
	}
	sheet := s.free[last]
	s.free = s.free[:last]
	return sheet
}

// giveBack keeps a sheet for others, unless it is a long one.
func (s *stationery) giveBack(sheet []byte) {
	if cap(sheet) != sheetBytes {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, sheet[:0])
}
