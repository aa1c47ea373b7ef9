package faults

import (
	"fmt"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
)

// Stored inputs of fuzzers keep their meaning: without rejoins and cuts bytes mean what they
// have always meant.
func TestPlainBytesKeepTheirMeaning(t *testing.T) {
	sum := crc32.NewIEEE()
	for first := range 256 {
		for _, rest := range [][2]byte{{0, 0}, {3, 1}, {200, 77}, {255, 255}} {
			data := []byte{byte(first), rest[0], rest[1]}
			for _, ranks := range []int{1, 7, 16, 300} {
				fmt.Fprintln(sum, decode(data, ranks), decode(data, ranks, someSteps...))
			}
		}
	}
	require.Equal(t, uint32(0x7177ae32), sum.Sum32())
}

// anyDecoder draws one of all.
func anyDecoder(t *rapid.T) Decoder {
	return Decoder{
		Ranks:  rapid.IntRange(1, 300).Draw(t, "ranks"),
		Steps:  someSteps[:rapid.IntRange(0, 2).Draw(t, "steps")],
		Rejoin: rapid.Bool().Draw(t, "rejoin"),
		Cut:    rapid.Bool().Draw(t, "cut"),
		Mend:   rapid.Bool().Draw(t, "mend"),
		Scale:  clock.Time(rapid.Int64().Draw(t, "scale")),

		Messages: rapid.Bool().Draw(t, "messages"),
		Storage:  rapid.Bool().Draw(t, "storage"),
	}
}

func TestDecodersMakeAValidScheduleOfAnyBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDecoder(t)
		data := rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "data")
		s := d.Decode(data)
		require.NoError(t, s.Validate(d.Ranks))
		require.True(t, s.Explicit())
		require.LessOrEqual(t, len(s), min(mostDecoded, len(data)/faultBytes))
		again, err := d.Encode(s)
		require.NoError(t, err)
		require.Equal(t, s, d.Decode(again))
		for _, f := range s {
			require.True(t, d.Rejoin || f.Kind != Rejoin)
			require.True(t, d.Cut || f.Kind != Cut || f.OneWay)
			require.True(t, d.Mend || f.Kind != Mend && !f.OneWay)
			require.True(t, d.Messages || !f.Kind.OfMessages())
			require.True(t, d.Storage || f.At.Anchor <= AtStep && f.Kept == "")
		}
	})
}

func TestDecodersKnowEveryPointOfStorage(t *testing.T) {
	for _, steps := range [][]string{nil, someSteps} {
		d := Decoder{Ranks: 16, Steps: steps, Storage: true}
		decoded := make(map[string]bool)
		for what := range 256 {
			decoded[d.Decode([]byte{byte(what), 3, 1}).String()] = true
		}
		for _, want := range []string{
			"crash:3@before-write2", "hang:3@write2", "crash:3@after-write2", "crash:3@before-sync2", "hang:3@sync2", "slow:3x2@after-sync2",
			"crash:3@sync2:kept*", "hang:3@sync2:kept1", "crash:3@after-write2:kept2", "crash:3@t1:kept1-2",
		} {
			require.Contains(t, decoded, want)
		}
	}
}

func TestDecodersKnowRejoinsAndCuts(t *testing.T) {
	d := Decoder{Ranks: 16, Steps: someSteps, Rejoin: true, Cut: true, Scale: 10}
	for _, c := range []struct {
		data []byte
		want string
	}{
		{[]byte{0, 3, 2}, "crash:3@t20"},
		{[]byte{5, 3, 0}, "rejoin:3@t10"},
		{[]byte{5, 19, 255}, "rejoin:3@t2560"},
		{[]byte{12, 3, 0}, "rejoin:3@t10"}, // no other anchor
		{[]byte{6, 3, 0}, "cut:3|*@t0"},
		{[]byte{6, 127, 7}, "cut:15|*@t70"},
		{[]byte{6, 128 + 1 + 4, 0}, "cut:0+2+7+9+14|*@t0"},
		{[]byte{6, 128, 1}, "cut:0|*@t10"},
		{[]byte{6, 255, 1}, "cut:0|*@t10"},
		{[]byte{7, 3, 0}, "crash:3@before-send1"},
		{[]byte{0, 3, 2, 5, 3, 8, 6, 3, 9}, "crash:3@t20,rejoin:3@t90,cut:3|*@t90"},
	} {
		require.Equal(t, c.want, d.Decode(c.data).String(), "%v", c.data)
	}
	require.Equal(t, "crash:0@before-send1", Decoder{Ranks: 1, Cut: true}.Decode([]byte{5, 0, 0}).String(), "nobody to be cut off from")
	far := Decoder{Ranks: 2, Rejoin: true, Scale: 1 << 60}.Decode([]byte{0, 0, 255, 5, 0, 255})
	require.Equal(t, "crash:0@t1095216660480,rejoin:0@t1099511627776", far.String(), "the latest times there are")
	require.Equal(t, "cut:0|*@t0", Decoder{Ranks: 2, Cut: true}.Decode([]byte{5, 0, 0}).String(), "without rejoins")
}

func TestDecodersKnowMessagesAndMends(t *testing.T) {
	d := Decoder{Ranks: 16, Mend: true, Messages: true, Scale: 10} // ten deeds
	for _, c := range []struct {
		data []byte
		want string
	}{
		{[]byte{5, 3, 2}, "cut:3>*@t20"},
		{[]byte{6, 3, 2}, "mend:3|*@t30"},
		{[]byte{6, 128 + 1 + 4, 0}, "mend:0+2+7+9+14|*@t10"},
		{[]byte{7, 19, 0}, "late:3@send1+10"},
		{[]byte{17, 3, 63}, "late:3@send64+20"},
		{[]byte{77, 3, 64}, "late:3@send1+2550"},
		{[]byte{87, 3, 0}, "late:3@send1+10"},
		{[]byte{8, 3, 1}, "lose:3@send2"},
		{[]byte{88, 3, 1}, "lose:3@send2"}, // nothing to be late by
		{[]byte{49, 3, 4}, "twice:3@send5+300"},
		{[]byte{10, 3, 0}, "crash:3@before-send1"},
	} {
		require.Equal(t, c.want, d.Decode(c.data).String(), "%v", c.data)
	}
	for _, text := range []string{"late:3@send1+11", "late:3@send65+10", "late:0>1@t5+10", "mend:0|1@t10", "mend:3|*@t11", "cut:3|*", "cut:*>3", "lose:~1@send1"} {
		_, err := d.Encode(MustParse(text))
		require.ErrorContains(t, err, ": cannot be encoded (", text)
	}
	_, err := d.Encode(MustParse("cut:0|1"))
	require.ErrorContains(t, err, "; the same one way, from them to others, and mended; messages of sends up to 64, late or twice by [1 2 5 12 30 70 150 255] times 10)")
	require.Equal(t, "late:0@send1+1", Decoder{Ranks: 1, Mend: true, Messages: true}.Decode([]byte{5, 0, 0}).String(), "nobody to be cut off from")
}

// Every way to part up to seven ranks has bytes.
func TestDecodersKnowAllCutsOfAFewRanks(t *testing.T) {
	for ranks := 2; ranks <= cutPattern; ranks++ {
		d := Decoder{Ranks: ranks, Cut: true}
		seen := make(map[Group]bool)
		for b := range 256 {
			f := d.Decode([]byte{5, byte(b), 9})[0]
			require.Equal(t, Fault{Kind: Cut, Left: f.Left, Right: Others, At: OnTime(9)}, f)
			seen[f.Left] = true
		}
		require.Len(t, seen, 1<<ranks-2)
	}
}

func TestEncodeOfDecodersRefusesWhatHasNoBytes(t *testing.T) {
	d := Decoder{Ranks: 200, Rejoin: true, Cut: true, Scale: 10}
	for _, text := range []string{
		"crash:1@t15", "crash:1@t2560", "rejoin:1@t5", "rejoin:1@t2570", "rejoin:200@t10", "rejoin:~1@t10", "rejoin:10%@t10",
		"cut:0|1", "cut:128|*", "cut:0-1|*", "cut:~1|*", "cut:1%|*", "cut:3|*@t2560", "cut:3|*@t7",
	} {
		_, err := d.Encode(MustParse(text))
		require.ErrorContains(t, err, ": cannot be encoded (", text)
	}
	_, err := d.Encode(MustParse("cut:0|1"))
	require.ErrorContains(t, err, "of ranks below 200; slow-downs by 2, 4 or 16; times below 2560, 10 apart; "+
		"sends and receives up to 64; up to 4 passages of the steps []; rejoins up to 2560; "+
		"cuts from all others, of one rank below 128 or of the same ones in every 7)")
	_, err = Decoder{}.Encode(nil)
	require.EqualError(t, err, "faults: ranks 0, want 1 or more")
	require.Nil(t, Decoder{Rejoin: true, Cut: true}.Decode([]byte{5, 3, 0}), "no machine, no faults")
}

// FuzzDecoder feeds decoders that know everything any bytes.
func FuzzDecoder(f *testing.F) {
	f.Add([]byte{0, 3, 2, 5, 3, 8, 6, 3, 9}, uint8(15), uint16(10))
	f.Add([]byte{6, 128, 1, 6, 255, 0, 6, 133, 7}, uint8(1), uint16(0))
	f.Fuzz(func(t *testing.T, data []byte, ranks uint8, scale uint16) {
		d := Decoder{Ranks: 1 + int(ranks), Rejoin: true, Cut: true, Mend: true, Messages: true, Scale: clock.Time(scale)}
		s := d.Decode(data)
		require.NoError(t, s.Validate(d.Ranks))
		again, err := d.Encode(s)
		require.NoError(t, err)
		require.Equal(t, s, d.Decode(again))
	})
}
