package wire

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzReadFrame feeds the decoder any bytes. It must not panic, what it accepts must come back from
// its own encoding, and it must not take more memory than there are bytes, and a chunk.
func FuzzReadFrame(f *testing.F) {
	for _, frame := range extremes() {
		if b := encoded(frame); len(b) < 1000 {
			f.Add(b)
			f.Add(b[:len(b)-1])
			f.Add(append(b, b...))
		}
	}
	f.Add([]byte{0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{0x7f, 0xff, 0xff, 0xff, 1, 1})
	f.Fuzz(func(t *testing.T, stream []byte) {
		r := bytes.NewReader(stream)
		for {
			start := len(stream) - r.Len()
			frame, all, err := decoded(r, 1<<30)
			require.LessOrEqual(t, cap(all), 2*(len(stream)-start+chunk))
			if err == io.EOF {
				require.Equal(t, len(stream), start)
			}
			if err != nil {
				return
			}
			tag := all[len(all)-tagSize:]
			again := append(appendFrame(nil, someID, &frame), tag...)
			require.Equal(t, stream[start:len(stream)-r.Len()], again)
		}
	})
}

// FuzzSession changes what a session sends in any way that the bytes say. What comes through must
// be the beginning of what was sent.
func FuzzSession(f *testing.F) {
	f.Add([]byte{})
	for op := range byte(operations) {
		f.Add([]byte{op, 1, 3, 0x80})
		f.Add([]byte{op, 0, 90, 1, op, 2, 0, 7})
	}
	frames := someFrames()
	parts := sent(sending(someID, oneKey), frames)
	other := sent(sending(someID, anotherKey), frames)
	f.Fuzz(func(t *testing.T, script []byte) {
		stream := mutated(parts, other, script)
		got, err := accepted(receiving(stream))
		require.Error(t, err)
		require.LessOrEqual(t, len(got), len(frames))
		requireFrames(t, frames[:len(got)], got)
		if bytes.Equal(stream, slices.Concat(parts...)) {
			require.Equal(t, io.EOF, err)
			require.Len(t, got, len(frames))
		}
	})
}

const operations = 8

// mutated is what remains of frames after a script: four bytes for each change, which one, two for
// where, and a value.
func mutated(parts, other [][]byte, script []byte) []byte {
	parts = slices.Clone(parts)
	for ; len(script) >= 4 && len(parts) > 0 && len(parts) < 50; script = script[4:] {
		i, j, value := int(script[1])%len(parts), int(script[2]), script[3]
		part := bytes.Clone(parts[i])
		switch script[0] % operations {
		case 0: // change a byte
			part[j%len(part)] ^= value
		case 1: // leave a frame out
			parts = slices.Delete(parts, i, i+1)
			continue
		case 2: // repeat one
			parts = slices.Insert(parts, j%len(parts), part)
			continue
		case 3: // swap two
			k := j % len(parts)
			parts[i], parts[k] = parts[k], part
			continue
		case 4: // cut some bytes out
			from := j % len(part)
			part = slices.Delete(part, from, min(len(part), from+1+int(value)))
		case 5: // put some in
			part = slices.Insert(part, j%len(part), bytes.Repeat([]byte{value}, 1+int(value)%40)...)
		case 6: // a frame of the other direction
			part = bytes.Clone(other[j%len(other)])
		case 7: // another tag
			if len(part) >= tagSize {
				part = withTag(part, append(make([]byte, tagSize), parts[j%len(parts)]...))
			}
		}
		if len(part) == 0 {
			part = []byte{value}
		}
		parts[i] = part
	}
	return slices.Concat(parts...)
}
