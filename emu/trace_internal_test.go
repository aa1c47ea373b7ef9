package emu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/report"
)

func TestHashOfAnEventDependsOnAllOfIt(t *testing.T) {
	hashes := make(map[uint64]report.Event)
	for _, e := range []report.Event{
		{}, {Time: 1}, {Rank: 1}, {Kind: report.EventReceive}, {Peer: 1}, {Peer: report.NoPeer}, {Msg: 1}, {Epoch: 1}, {Epoch: 1 << 31}, {A: 1}, {A: -1},
		{Step: "a"}, {Step: "b"}, {Step: "aa"}, {Step: "ab"}, {Step: "ba"},
		{Rank: 1, Peer: 2}, {Rank: 2, Peer: 1}, {Msg: 1, Epoch: 2}, {Msg: 2, Epoch: 1}, {Time: 1, A: 2}, {Time: 2, A: 1},
	} {
		h := hashEvent(&e)
		require.NotContains(t, hashes, h, "%+v", e)
		hashes[h] = e
	}
}
