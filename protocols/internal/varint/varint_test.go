package varint

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestWhatIsWrittenComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.IntRange(0, 1<<62).Draw(t, "number")
		signed := rapid.Int64().Draw(t, "signed")
		list := ascending(t, "list")
		text := rapid.String().Draw(t, "text")
		last := ascending(t, "last")

		payload := Append(nil, number)
		payload = AppendSigned(payload, signed)
		payload = AppendList(payload, list)
		payload = AppendText(payload, text)
		payload = AppendDistances(payload, last)

		r := Reader{string(payload)}
		require.Equal(t, number, r.Number())
		require.Equal(t, signed, r.Signed())
		require.Equal(t, list, r.List())
		require.Equal(t, text, r.Text())
		require.Equal(t, last, r.Distances())
		require.Empty(t, r.Rest)
	})
}

// ascending draws a list of ranks; nil if it is empty.
func ascending(t *rapid.T, label string) []int {
	list := rapid.SliceOfDistinct(rapid.IntRange(0, 1<<31-1), rapid.ID).Draw(t, label)
	if len(list) == 0 {
		return nil
	}
	slices.Sort(list)
	return list
}

// How long payloads are is part of what runs cost.
func TestNeighboursTakeAByteEach(t *testing.T) {
	require.Equal(t, []byte{3, 0xe8, 0x07, 1, 1}, AppendList(nil, []int{1000, 1001, 1002}))
	require.Equal(t, []byte{0xe8, 0x07, 1, 1}, AppendDistances(nil, []int{1000, 1001, 1002}))
	require.Equal(t, []byte{0}, AppendList(nil, nil))
	require.Empty(t, AppendDistances(nil, nil))
	require.Equal(t, []byte{1}, AppendSigned(nil, -1))
}

func TestForeignPayloadsAreNotRead(t *testing.T) {
	for _, payload := range []string{"", "\xff", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"} {
		require.Panics(t, func() { (&Reader{payload}).Number() })
		require.Panics(t, func() { (&Reader{payload}).Signed() })
		require.Panics(t, func() { (&Reader{payload}).List() })
	}
	require.Panics(t, func() { (&Reader{"\x03\x01"}).List() })
	require.Panics(t, func() { (&Reader{"\x03ab"}).Text() })
}

func TestReadingNumbersTakesNoMemory(t *testing.T) {
	payload := string(AppendSigned(Append(nil, 1<<40), -1<<50))
	require.Zero(t, testing.AllocsPerRun(100, func() {
		r := Reader{payload}
		r.Number()
		r.Signed()
	}))
}
