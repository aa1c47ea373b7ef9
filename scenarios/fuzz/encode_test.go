package fuzz

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// encode returns the bytes that decode turns into a line. Keys that are not on the line have
// their usual values.
func (t *target) encode(text string, mode byte) ([]byte, error) {
	run, err := t.ParseLine(text)
	if err != nil {
		return nil, err
	}
	data, s := []byte{mode}, run.Settings()
	t.MakeUp(func(key line.Key, values []string) string {
		if len(values) == 0 {
			data = append(data, 0)
			return ""
		}
		at := slices.Index(values, s.Text(key.Name))
		if at < 0 && !s.IsIdle(key.Name, t.Idle) {
			err = fmt.Errorf("%s=%s, want one of %v", key.Name, s.Text(key.Name), values)
		}
		data = append(data, byte(max(at, 0)))
		return values[max(at, 0)]
	})
	if err != nil {
		return nil, err
	}
	schedule, err := t.Decoder(s.Int("P")).Encode(s.Faults())
	return append(data, schedule...), err
}

// headerBytes is how many bytes stand before the schedule.
func (t *target) headerBytes() int {
	n := 1
	t.MakeUp(func(_ line.Key, values []string) string {
		n++
		return append(values, "")[0]
	})
	return n
}
