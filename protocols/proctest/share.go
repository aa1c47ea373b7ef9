package proctest

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"reflect"
)

// leftOut is something in a type that would not reach other processes: gob says nothing of fields that are not exported. "" if there is nothing.
func leftOut(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); !f.IsExported() {
				return fmt.Sprintf("%s of %s", f.Name, t)
			} else if found := leftOut(f.Type); found != "" {
				return found
			}
		}
	case reflect.Slice, reflect.Array, reflect.Pointer, reflect.Map:
		return leftOut(t.Elem())
	case reflect.Func, reflect.Chan, reflect.Interface:
		return t.String()
	}
	return ""
}

// share makes known to all processes what this one knows of a run, and returns what each of them does.
func share[T any](c *checker, own account[T]) ([]account[T], error) {
	if c.machine.Share == nil {
		return []account[T]{own}, nil
	}
	text, err := encode(c.current(), own)
	if err != nil {
		return nil, err
	}
	texts, err := c.machine.Share(text)
	if err != nil {
		return nil, fmt.Errorf("observations cannot be shared: %w", err)
	}
	all := make([]account[T], len(texts))
	for process, text := range texts {
		if all[process], err = decode[T](c.current(), text); err != nil {
			return nil, fmt.Errorf("observations of process %d: %w", process, err)
		}
	}
	return all, nil
}

// encode writes an account of a run, and a checksum behind it: what gets lost or changed on the way to another process might
// otherwise pass for what a rank has observed.
func encode[T any](run string, a account[T]) ([]byte, error) {
	var text bytes.Buffer
	e := gob.NewEncoder(&text)
	if err := errors.Join(e.Encode(run), e.Encode(a)); err != nil {
		return nil, err
	}
	return binary.BigEndian.AppendUint32(text.Bytes(), crc32.ChecksumIEEE(text.Bytes())), nil
}

// decode reads what encode has written about the same run.
func decode[T any](run string, text []byte) (a account[T], err error) {
	body, sum := text, text
	if len(text) >= crc32.Size {
		body, sum = text[:len(text)-crc32.Size], text[len(text)-crc32.Size:]
	}
	if len(sum) != crc32.Size || binary.BigEndian.Uint32(sum) != crc32.ChecksumIEEE(body) {
		return a, fmt.Errorf("%d bytes that are not what was sent", len(text))
	}
	d := gob.NewDecoder(bytes.NewReader(body))
	var other string
	if err := d.Decode(&other); err != nil {
		return a, err
	}
	if other != run {
		return a, fmt.Errorf("processes have come apart: it is in %q, and this one in %q", other, run)
	}
	return a, d.Decode(&a)
}
