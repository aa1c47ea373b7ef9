package cryptorand

import (
	"bytes"
	"io"
	"runtime"
)

// table has the readers of goroutines. Its channel is what a mutex is elsewhere: protocol code has none.
type table chan map[string]io.Reader

func newTable() table {
	t := make(table, 1)
	t <- make(map[string]io.Reader)
	return t
}

func (t table) change(f func(map[string]io.Reader)) {
	of := <-t
	f(of)
	t <- of
}

// find returns the reader of this goroutine, or nil.
func (t table) find() (own io.Reader) {
	id := goroutine()
	t.change(func(of map[string]io.Reader) { own = of[id] })
	return own
}

// goroutine is the number of this goroutine. Go tells it in stack traces only, whose first words have been the same since its first version: "goroutine 18 [running]:".
func goroutine() string {
	var trace [64]byte
	words := bytes.Fields(trace[:runtime.Stack(trace[:], false)])
	if len(words) < 2 || string(words[0]) != "goroutine" {
		panic("cryptorand: a stack trace does not begin with the number of its goroutine")
	}
	return string(words[1])
}
