package view

import (
	"bytes"
	"strconv"
)

// column is a number for each of many things. In JSON it is one number if all are the same, which
// is so for most overheads and epochs, and takes most of a page's size away.
type column []int64

// exact is up to where browsers have all whole numbers.
const exact = 1 << 53

// MarshalJSON writes numbers that browsers would round as text.
func (c column) MarshalJSON() ([]byte, error) {
	if c.same() {
		return appendNumber(nil, c[0]), nil
	}
	b := bytes.NewBuffer(make([]byte, 0, 4*len(c)+2))
	b.WriteByte('[')
	for i, v := range c {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(appendNumber(b.AvailableBuffer(), v))
	}
	b.WriteByte(']')
	return b.Bytes(), nil
}

// same reports whether there are several numbers, all alike.
func (c column) same() bool {
	for _, v := range c {
		if v != c[0] {
			return false
		}
	}
	return len(c) > 1
}

func appendNumber(b []byte, v int64) []byte {
	if v >= -exact && v <= exact {
		return strconv.AppendInt(b, v, 10)
	}
	return append(strconv.AppendInt(append(b, '"'), v, 10), '"')
}

// steps are the numbers as differences from the one before, which are short where numbers ascend.
func (c column) steps() column {
	last := int64(0)
	d := make(column, len(c))
	for i, v := range c {
		d[i], last = v-last, v
	}
	return d
}
