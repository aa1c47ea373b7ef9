package wire

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

var someID = [8]byte{1, 2, 3, 4, 5, 6, 7, 8}

// message is a frame of the most usual type.
func message(from, to int, left clock.Time, m mailbox.Message) Frame {
	return Frame{Type: Message, From: from, To: to, Left: left, Message: m}
}

// text is a frame of another type.
func text(typ Type, payload string) Frame {
	return Frame{Type: typ, Message: mailbox.Message{Payload: payload}}
}

// extremes are frames whose fields are as small or large as they can be.
func extremes() []Frame {
	return []Frame{
		message(0, 0, 0, mailbox.Message{}),
		message(1, 2, 3, mailbox.Message{Kind: 4, Epoch: 5, A: 6, Payload: "seven"}),
		message(math.MaxInt32, 0, clock.Never, mailbox.Message{Kind: math.MaxUint8, Epoch: math.MaxUint32, A: math.MaxInt64}),
		message(0, math.MaxInt32, math.MinInt64, mailbox.Message{A: math.MinInt64}),
		message(7, 7, -1, mailbox.Message{A: -1, Payload: "\x00\xff"}),
		message(1, 0, 1, mailbox.Message{Payload: strings.Repeat("x", 3*chunk+1)}),
		text(Control, ""), text(Control, `{"Beat":true}`),
		text(Welcome, ""), text(Refusal, "no"),
	}
}

// anyFrame draws a frame.
func anyFrame() *rapid.Generator[Frame] {
	return rapid.Custom(func(t *rapid.T) Frame {
		typ := rapid.SampledFrom([]Type{Message, Control, Welcome, Refusal}).Draw(t, "type")
		payload := string(rapid.SliceOfN(rapid.Byte(), 0, 80).Draw(t, "payload"))
		if typ != Message {
			return text(typ, payload)
		}
		rank := rapid.IntRange(0, math.MaxInt32)
		return message(rank.Draw(t, "from"), rank.Draw(t, "to"), clock.Time(rapid.Int64().Draw(t, "left")), mailbox.Message{
			Kind: mailbox.Kind(rapid.Byte().Draw(t, "kind")), Epoch: rapid.Uint32().Draw(t, "epoch"),
			A: rapid.Int64().Draw(t, "a"), Payload: payload,
		})
	})
}

// encoded is a frame as it goes over a connection, with some tag.
func encoded(f Frame) []byte {
	return append(appendFrame(nil, someID, &f), make([]byte, tagSize)...)
}

// decoded reads one frame, and returns it with its bytes.
func decoded(r io.Reader, limit int) (Frame, []byte, error) {
	b, err := readFrame(r, limit, nil)
	if err != nil {
		return Frame{}, b, err
	}
	f, err := parseFrame(b[lengthSize:len(b)-tagSize], someID)
	return f, b, err
}

func TestFramesComeBackWithEveryField(t *testing.T) {
	for _, f := range extremes() {
		back, _, err := decoded(bytes.NewReader(encoded(f)), DefaultLimit)
		require.NoError(t, err)
		require.Equal(t, f, back)
	}
}

func TestAnyFrameComesBackInPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFrame().Draw(t, "frame")
		back, all, err := decoded(iotest.OneByteReader(bytes.NewReader(encoded(f))), DefaultLimit)
		require.NoError(t, err)
		require.Equal(t, f, back)
		require.LessOrEqual(t, len(all), len(f.Payload)+Overhead)
	})
}

func TestFrameSharesNoMemoryWithWhatWasRead(t *testing.T) {
	b := encoded(message(1, 2, 3, mailbox.Message{Payload: "payload"}))
	f, err := parseFrame(b[lengthSize:len(b)-tagSize], someID)
	require.NoError(t, err)
	clear(b)
	require.Equal(t, "payload", f.Payload)
}

func TestFrameThatEndsEarlyIsAnError(t *testing.T) {
	all := encoded(message(1, 2, 3, mailbox.Message{Payload: "payload"}))
	_, _, err := decoded(bytes.NewReader(nil), DefaultLimit)
	require.ErrorIs(t, err, io.EOF, "between two frames")
	for n := 1; n < len(all); n++ {
		_, _, err := decoded(bytes.NewReader(all[:n]), DefaultLimit)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, "%d bytes", n)
	}
}

func TestFramesAreNeitherTooShortNorTooLong(t *testing.T) {
	f := text(Control, strings.Repeat("x", 100))
	size := len(encoded(f)) - lengthSize
	_, _, err := decoded(bytes.NewReader(encoded(f)), size)
	require.NoError(t, err)
	_, _, err = decoded(bytes.NewReader(encoded(f)), size-1)
	require.ErrorContains(t, err, "wire: frame of 126 bytes, want 26 to 125")
	for size := range uint32(headSize + tagSize) {
		short := append(binary.BigEndian.AppendUint32(nil, size), make([]byte, 100)...)
		_, _, err := decoded(bytes.NewReader(short), DefaultLimit)
		require.ErrorContains(t, err, "want 26 to", "%d bytes", size)
	}
}

func TestFrameWithAWrongFieldIsAnError(t *testing.T) {
	good := encoded(message(1, 2, 3, mailbox.Message{}))
	good = good[lengthSize : len(good)-tagSize]
	for name, c := range map[string]struct {
		change func(b []byte) []byte
		says   string
	}{
		"version":       {func(b []byte) []byte { b[0]++; return b }, "version 4, want 3"},
		"type 0":        {func(b []byte) []byte { b[1] = 0; return b }, "type 0, want 1 to 5"},
		"type 6":        {func(b []byte) []byte { b[1] = 6; return b }, "type 6, want 1 to 5"},
		"job":           {func(b []byte) []byte { b[9]++; return b }, "job 0102030405060709, want 0102030405060708"},
		"sender":        {func(b []byte) []byte { b[10] = 0x80; return b }, "from rank 2147483649 to rank 2, want 0 to 2147483647"},
		"receiver":      {func(b []byte) []byte { b[14] = 0x80; return b }, "from rank 1 to rank 2147483650, want 0 to 2147483647"},
		"short message": {func(b []byte) []byte { return b[:len(b)-1] }, "message of 28 bytes, want 29 or more"},
		"short head":    {func(b []byte) []byte { return b[:headSize-1] }, "frame of 9 bytes, want 10 or more"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseFrame(c.change(bytes.Clone(good)), someID)
			require.ErrorContains(t, err, c.says)
		})
	}
}

// A stranger's word is not enough to get memory: what a frame is said to need is only given as far
// as it comes.
func TestLengthAloneGetsNoMemory(t *testing.T) {
	allocated := func(size uint32, follows, limit int) int {
		stream := append(binary.BigEndian.AppendUint32(nil, size), make([]byte, follows)...)
		least := math.MaxInt // of several: others may want memory at the same time
		for range 5 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := readFrame(bytes.NewReader(stream), limit, nil)
			runtime.ReadMemStats(&after)
			require.Error(t, err)
			least = min(least, int(after.TotalAlloc-before.TotalAlloc))
		}
		return least
	}
	require.Less(t, allocated(math.MaxUint32, 10, DefaultLimit), 4<<10, "more than the limit")
	require.Less(t, allocated(math.MaxUint32, 10, math.MaxInt), 4*chunk, "less than the limit")
	require.Less(t, allocated(math.MaxUint32, 10*chunk, math.MaxInt), 100*chunk, "as it comes")
}

// Processes that were built at different times must understand each other, or refuse each other by the version. So what goes
// over the wire is as documented, byte by byte.
func TestFramesLookAsDocumented(t *testing.T) {
	f := message(0x01020304, 0x11121314, 0x2122232425262728, mailbox.Message{Kind: 0x31, Epoch: 0x41424344, A: 0x5152535455565758, Payload: "end"})
	require.Equal(t, "\x00\x00\x00\x3a"+ // length: 58 bytes follow, 16 of which are the tag
		"\x03\x01"+"\x01\x02\x03\x04\x05\x06\x07\x08"+ // version, type, job
		"\x01\x02\x03\x04"+"\x11\x12\x13\x14"+"\x21\x22\x23\x24\x25\x26\x27\x28"+ // from, to, left
		"\x31"+"\x41\x42\x43\x44"+"\x51\x52\x53\x54\x55\x56\x57\x58"+"end", // kind, epoch, a, payload
		string(appendFrame(nil, someID, &f)))
	f = text(Refusal, "no")
	require.Equal(t, "\x00\x00\x00\x1c"+"\x03\x04"+"\x01\x02\x03\x04\x05\x06\x07\x08"+"no", string(appendFrame(nil, someID, &f)))
}

func TestHellosLookAsDocumented(t *testing.T) {
	h := Handshake{Job: Job{ID: someID}, Self: Identity{Role: Member, Process: -2, Life: 0x01020304}}
	hello := h.hello()
	const fixed = "MGRV" + "\x03\x02" + "\x01\x02\x03\x04\x05\x06\x07\x08" + "\xff\xff\xff\xfe" + "\x01\x02\x03\x04"
	require.Equal(t, fixed, string(hello[:len(fixed)]))
	require.Len(t, hello, len(fixed)+32)
	require.NotEqual(t, hello[len(fixed):], h.hello()[len(fixed):], "they are drawn each time")
}
