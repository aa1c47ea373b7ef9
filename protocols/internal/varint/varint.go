package varint

import "encoding/binary"

// Append writes a number that is not negative.
func Append(to []byte, x int) []byte { return binary.AppendUvarint(to, uint64(x)) }

// AppendSigned writes a number that may be negative.
func AppendSigned(to []byte, x int64) []byte { return binary.AppendVarint(to, x) }

// AppendText writes a text and how long it is.
func AppendText(to []byte, text string) []byte { return append(Append(to, len(text)), text...) }

// AppendList writes an ascending list and how long it is.
func AppendList(to []byte, list []int) []byte { return AppendDistances(Append(to, len(list)), list) }

// AppendDistances writes an ascending list that nothing follows.
func AppendDistances(to []byte, list []int) []byte {
	last := 0
	for _, x := range list {
		to = Append(to, x-last)
		last = x
	}
	return to
}

// Reader reads what Append and the others have written, in the same order. It panics if there is something
// else: that was not written by the same protocol.
type Reader struct{ Rest string }

// Number reads what Append has written.
func (r *Reader) Number() int {
	x, n := binary.Uvarint([]byte(r.start()))
	r.skip(n)
	return int(x)
}

// Signed reads what AppendSigned has written.
func (r *Reader) Signed() int64 {
	x, n := binary.Varint([]byte(r.start()))
	r.skip(n)
	return x
}

// start is where the next number is. It is short enough to be looked at without a copy on the heap.
func (r *Reader) start() string { return r.Rest[:min(len(r.Rest), binary.MaxVarintLen64)] }

func (r *Reader) skip(bytes int) {
	if bytes <= 0 {
		panic("varint: no number where a payload should have one")
	}
	r.Rest = r.Rest[bytes:]
}

// Text reads what AppendText has written.
func (r *Reader) Text() string {
	length := r.Number()
	text := r.Rest[:length]
	r.Rest = r.Rest[length:]
	return text
}

// List reads what AppendList has written; nil if the list is empty.
func (r *Reader) List() []int {
	length := r.Number()
	if length == 0 {
		return nil
	}
	list := make([]int, length)
	last := 0
	for i := range list {
		last += r.Number()
		list[i] = last
	}
	return list
}

// Distances reads what AppendDistances has written, to the end.
func (r *Reader) Distances() []int { return r.DistancesTo(nil) }

// DistancesTo puts them behind a list.
func (r *Reader) DistancesTo(list []int) []int {
	for last := 0; r.Rest != ""; list = append(list, last) {
		last += r.Number()
	}
	return list
}
