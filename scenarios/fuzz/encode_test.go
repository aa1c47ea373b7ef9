package fuzz

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// encode returns the bytes that decode turns into a line. Keys that are not on the line have
// their usual values.
func (f *family) encode(line string, mode byte) ([]byte, error) {
	run, err := catalog.ParseLine(line)
	if err != nil {
		return nil, err
	}
	data := []byte{mode}
	chosen := make(choices)
	for _, field := range f.fields {
		values := field.values(chosen)
		if len(values) == 0 {
			data = append(data, 0)
			continue
		}
		value := run.Settings().Text(field.key)
		at := slices.Index(values, value)
		if at < 0 {
			return nil, fmt.Errorf("%s=%s, want one of %v", field.key, value, values)
		}
		chosen[field.key] = value
		data = append(data, byte(at))
	}
	schedule, err := f.decoderFor(chosen).Encode(run.Settings().Faults())
	return append(data, schedule...), err
}
