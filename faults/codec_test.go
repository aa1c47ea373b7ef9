package faults

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
)

var someSteps = []string{"coloured", "correction"}

// decode reads bytes without rejoins and cuts, as inputs of the first fuzz targets are.
func decode(data []byte, ranks int, steps ...string) Schedule {
	return Decoder{Ranks: ranks, Steps: steps}.Decode(data)
}

// encode is the inverse of decode.
func encode(s Schedule, steps ...string) ([]byte, error) {
	return Decoder{Ranks: mostDecodedRanks, Steps: steps}.Encode(s)
}

func TestDecodeMakesAValidScheduleOfAnyBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "data")
		ranks := rapid.IntRange(1, 300).Draw(t, "ranks")
		steps := someSteps[:rapid.IntRange(0, 2).Draw(t, "steps")]
		requireTotal(t, data, ranks, steps)
	})
}

// requireTotal fails unless the bytes make a valid, explicit schedule that is not longer
// than they are, and that has bytes of its own.
func requireTotal(t require.TestingT, data []byte, ranks int, steps []string) {
	s := decode(data, ranks, steps...)
	require.NoError(t, s.Validate(ranks))
	require.True(t, s.Explicit())
	require.LessOrEqual(t, len(s), min(mostDecoded, len(data)/faultBytes))
	again, err := encode(s, steps...)
	require.NoError(t, err)
	require.Equal(t, s, decode(again, ranks, steps...))
}

func TestDecodeReadsBackWhatEncodeWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Schedule(rapid.SliceOfNDistinct(encodable(), 0, mostDecoded, rapid.ID[Fault]).Draw(t, "schedule"))
		data, err := encode(s, someSteps...)
		require.NoError(t, err, s)
		require.Len(t, data, faultBytes*len(s))
		require.Equal(t, s.String(), decode(data, 256, someSteps...).String())
	})
}

// encodable draws faults that have bytes.
func encodable() *rapid.Generator[Fault] {
	return rapid.Custom(func(t *rapid.T) Fault {
		d := rapid.SampledFrom(deeds).Draw(t, "deed")
		f := Fault{Kind: d.kind, Factor: d.factor, Rank: rapid.IntRange(0, 255).Draw(t, "rank")}
		switch a := Anchor(rapid.IntRange(0, int(AtStep)).Draw(t, "anchor")); a {
		case AtTime:
			f.At = OnTime(clock.Time(rapid.IntRange(0, 255).Draw(t, "time")))
		case AtStep:
			f.At = OnStep(rapid.SampledFrom(someSteps).Draw(t, "step"), rapid.IntRange(1, mostDecodedPassages).Draw(t, "passage"))
		default:
			f.At = Point{Anchor: a, N: rapid.IntRange(1, mostDecodedCount).Draw(t, "n")}
		}
		return f
	})
}

func TestDecodedFaultsComeFromThreeBytesEach(t *testing.T) {
	for _, c := range []struct {
		data []byte
		want string
	}{
		{nil, "none"},
		{[]byte{0}, "none"},
		{[]byte{0, 3}, "none"},
		{[]byte{0, 3, 0}, "crash:3@t0"},
		{[]byte{0, 3, 0, 1}, "crash:3@t0"},
		{[]byte{0, 3, 0, 1, 19, 200}, "crash:3@t0,hang:3@t200"},
		{[]byte{0, 3, 0, 0, 19, 0}, "crash:3@t0"}, // the same again
		{[]byte{12, 1, 7}, "slow:1x2@send8"},
		{[]byte{20, 1, 0, 15, 2, 1, 5, 4, 2}, "crash:1@recv1,crash:2@after-send2,crash:4@before-send3"},
		{[]byte{25, 1, 1, 26, 1, 2}, "crash:1@step:correction,hang:1@step:coloured#2"},
	} {
		require.Equal(t, c.want, decode(c.data, 16, someSteps...).String(), "%v", c.data)
	}
}

func TestDecodeKnowsNoStepsButThoseItIsGiven(t *testing.T) {
	for first := range 256 {
		for _, f := range decode([]byte{byte(first), 0, 0}, 4) {
			require.NotEqual(t, AtStep, f.At.Anchor)
		}
	}
}

func TestDecodeReturnsNoMoreThanmostDecoded(t *testing.T) {
	var data []byte
	for i := range 40 {
		data = append(data, 0, byte(i), 0)
	}
	require.Len(t, decode(data, 40), mostDecoded)
	require.Nil(t, decode(data, 0), "no machine, no faults")
}

func TestEncodeRefusesWhatHasNoBytes(t *testing.T) {
	for _, text := range []string{
		"crash:~3", "hang:1%", "crash:256", "slow:1x3", "crash:1@t256", "crash:1@send65", "crash:1@recv65",
		"crash:1@step:other", "crash:1@step:coloured#5", "crash:1,crash:1", "rejoin:1@t9", "cut:1|*",
		"crash:0,crash:1,crash:2,crash:3,crash:4,crash:5,crash:6,crash:7,crash:8,crash:9,crash:10,crash:11,crash:12",
	} {
		_, err := encode(MustParse(text), someSteps...)
		require.Error(t, err, text)
	}
	_, err := encode(MustParse("crash:1@step:coloured"))
	require.ErrorContains(t, err, "crash:1@step:coloured: cannot be encoded")
}

// FuzzDecode feeds Decode any bytes. The schedule must be valid and have bytes of its own.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{}, uint8(0), uint8(0))
	f.Add([]byte{0, 3, 0, 1, 19, 200, 26, 1, 2}, uint8(15), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, ranks, steps uint8) {
		requireTotal(t, data, 1+int(ranks), someSteps[:steps%3])
	})
}
