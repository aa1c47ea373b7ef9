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
	payload.Grow(len(list) * max(0, elementSize[T]())) // elements without a size are refused below
	writeElements(&payload, nil, list)
	return payload.String()
}

// writeElements does so behind what is there already, piece by piece: all at once would be in memory twice. It returns the
// buffer, to be used again.
func writeElements[T any](to *strings.Builder, buffer []byte, list []T) []byte {
	const piece = 512
	buffer = slices.Grow(buffer, min(piece, len(list))*max(0, elementSize[T]()))
	for {
		n := min(piece, len(list))
		buffer = appendElements(buffer[:0], list[:n])
		to.Write(buffer)
		if list = list[n:]; len(list) == 0 {
			return buffer
		}
	}
}

// appendElements does so behind what is there already.
func appendElements[T any](to []byte, list []T) []byte {
	checkElement[T]()
	buffer, err := binary.Append(to, binary.LittleEndian, list)
	if err != nil {
		panic(fmt.Sprintf("collective: elements of type %T have no fixed size, want such as int64: %v", *new(T), err))
	}
	return buffer
}

// elementSize is how many bytes an element takes; less than 0 if it has no fixed size.
func elementSize[T any]() int { return binary.Size(*new(T)) }

// checkElement panics where elements would not come back as they were: those of size 0, and those
// with fields that nobody but their own package may set.
func checkElement[T any]() {
	element := reflect.TypeFor[T]()
	if element.Size() == 0 {
		panic(fmt.Sprintf("collective: elements of type %v have no size", element))
	}
	if element.Kind() != reflect.Struct {
		return
	}
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
