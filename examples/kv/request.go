package kv

import (
	"encoding/json"
	"fmt"
)

// Op is what is asked for.
type Op string

// What the store can do with a key.
const (
	Get    Op = "get"
	Put    Op = "put"
	Delete Op = "delete"
	Swap   Op = "swap" // compare and swap
)

// Request is what a client asks for. A key without a value has the value "".
type Request struct {
	Op    Op
	Key   string
	Old   string `json:",omitempty"` // Swap: only if this is the value
	Value string `json:",omitempty"` // Put and Swap: the new one
}

// Answer is what it is told.
type Answer struct {
	Value string `json:",omitempty"` // Get: the value
	Done  bool   `json:",omitempty"` // Delete: there was a value; Swap: it was the old one
}

// on says what a request does to the value of its key. Servers do it, and the model says that nothing else may be seen.
func (r Request) on(value string) (next string, answer Answer) {
	switch r.Op {
	case Put:
		return r.Value, Answer{}
	case Delete:
		return "", Answer{Done: value != ""}
	case Swap:
		if value == r.Old {
			return r.Value, Answer{Done: true}
		}
		return value, Answer{}
	}
	return value, Answer{Value: value}
}

// command is a request with a name: which session it is of, and its number there. A client has a session in each of its lives.
type command struct {
	Session string
	Number  int64
	Request
}

func (c *command) name() string { return fmt.Sprintf("%s#%d", c.Session, c.Number) }

// encode and decode are for what is sent, logged and put into snapshots. Keys of maps are sorted, so that equal states have equal texts.
func encode(v any) string {
	text, err := json.Marshal(v)
	must(err)
	return string(text)
}

func decode[T any](text string) (v T) {
	must(json.Unmarshal([]byte(text), &v))
	return v
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
