package collective

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/protocols/internal/varint"
)

// encode makes values a payload. Elements must be of a fixed size: numbers such as int64 (not
// int), arrays, and structs of them with exported fields.
func encode[T any](list []T) string {
	var payload strings.Builder
	payload.Grow(len(list) * fixedSize[T]())
	writeElements(&payload, nil, list)
	return payload.String()
}

// writeElements does so behind what is there already, piece by piece: all at once would be in memory twice. It returns the
// buffer, to be used again. The type of elements was checked.
func writeElements[T any](to *strings.Builder, buffer []byte, list []T) []byte {
	const piece = 64
	buffer = slices.Grow(buffer[:0], min(piece, len(list))*elementSize[T]())
	for len(list) > 0 {
		n := min(piece, len(list))
		buffer, _ = binary.Append(buffer[:0], binary.LittleEndian, list[:n])
		to.Write(buffer)
		list = list[n:]
	}
	return buffer
}

// elementSize is how many bytes an element takes; less than 0 if it has no fixed size.
func elementSize[T any]() int { return binary.Size(*new(T)) }

// fixedSize is the same, and panics where elements would not come back as they were: those of no fixed size or of size 0, and those
// with fields that nobody but their own package may set.
func fixedSize[T any]() int {
	element := reflect.TypeFor[T]()
	if element.Size() == 0 {
		panic(fmt.Sprintf("collective: elements of type %v have no size", element))
	}
	if element.Kind() == reflect.Struct {
		checkFields(element)
	}
	size := elementSize[T]()
	if size <= 0 { // that of an empty list is 0
		panic(fmt.Sprintf("collective: elements of type %v have no fixed size, want such as int64", element))
	}
	return size
}

// checkFields is a function of its own since it takes much of the stack.
//
//go:noinline
func checkFields(element reflect.Type) {
	for i := range element.NumField() {
		if field := element.Field(i); !field.IsExported() && field.Name != "_" {
			panic(fmt.Sprintf("collective: elements of type %v have the field %s, want exported ones only", element, field.Name))
		}
	}
}

// decode is the inverse of encode.
func decode[T any](payload string) []T { return decodeElements[T]([]byte(payload)) }

func decodeElements[T any](payload []byte) []T {
	if len(payload) == 0 {
		return nil
	}
	list := make([]T, len(payload)/elementSize[T]())
	decodeElementsInto(list, payload)
	return list
}

// decodeInto decodes as many elements as there is room for.
func decodeInto[T any](list []T, payload string) { decodeElementsInto(list, []byte(payload)) }

func decodeElementsInto[T any](list []T, payload []byte) {
	if _, err := binary.Decode(payload, binary.LittleEndian, list); err != nil {
		panic(fmt.Sprintf("collective: a payload of %d bytes is no list of %T: %v", len(payload), *new(T), err))
	}
}

// encodeTasks writes ascending numbers of tasks.
func encodeTasks(tasks []int) string { return string(varint.AppendDistances(nil, tasks)) }

func decodeTasks(payload string) []int { return (&varint.Reader{Rest: payload}).Distances() }

// encodeBlocks writes blocks one after the other, each with its length before it. Whoever reads
// them knows whose they are.
func encodeBlocks(blocks map[int]string, tasks []int) string {
	var buffer []byte
	for _, task := range tasks {
		buffer = varint.AppendText(buffer, blocks[task])
	}
	return string(buffer)
}

func decodeBlocks(into map[int]string, tasks []int, payload string) {
	r := varint.Reader{Rest: payload}
	for _, task := range tasks {
		into[task] = r.Text()
	}
}
