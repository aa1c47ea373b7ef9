package history

import "encoding/binary"

// front is how far an order has got, and which operations may come next.
type front struct {
	after  [][]int32 // for each operation those that wait for it
	waits  []int32   // for how many an operation still waits
	placed set
	ready  set // those not placed that wait for none
}

func newFront(size int) *front {
	return &front{after: make([][]int32, size), waits: make([]int32, size), placed: newSet(size), ready: newSet(size)}
}

// wait has an operation wait for another one.
func (f *front) wait(operation, former int) {
	f.after[former] = append(f.after[former], int32(operation))
	f.waits[operation]++
}

// begin says which operations are to be placed.
func (f *front) begin(operation int) {
	if f.waits[operation] == 0 {
		f.ready.flip(operation)
	}
}

// place puts an operation that is ready next.
func (f *front) place(operation int) {
	f.placed.flip(operation)
	f.ready.flip(operation)
	for _, i := range f.after[operation] {
		if f.waits[i]--; f.waits[i] == 0 {
			f.ready.flip(int(i))
		}
	}
}

// takeBack undoes the last place.
func (f *front) takeBack(operation int) {
	for _, i := range f.after[operation] {
		if f.waits[i] == 0 {
			f.ready.flip(int(i))
		}
		f.waits[i]++
	}
	f.ready.flip(operation)
	f.placed.flip(operation)
}

// key is which operations are placed, for a map of where a search has been.
func (f *front) key(to []byte) []byte {
	for _, word := range f.placed {
		to = binary.LittleEndian.AppendUint64(to, word)
	}
	return to
}
