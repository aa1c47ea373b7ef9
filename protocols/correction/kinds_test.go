package correction_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/correction"
)

func TestKindsOfCorrectionsHaveNames(t *testing.T) {
	names := map[mailbox.Kind]string{correction.Leftward: "left", correction.Rightward: "right", correction.SOS: "sos"}
	for kind := correction.FirstKind - 1; kind <= correction.LastKind+1; kind++ {
		require.Equal(t, names[kind], correction.KindName(kind))
		require.Equal(t, names[kind] != "", correction.IsCorrection(kind), "%d", kind)
	}
}
