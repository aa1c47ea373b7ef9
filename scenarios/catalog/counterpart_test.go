package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

func TestCounterpartsOfLines(t *testing.T) {
	for text, want := range map[string]catalog.Counterpart{
		"broadcast P=8": {Operation: "Bcast", Bytes: 8},
		"broadcast P=8 root=3 bytes=4096 correction=none": {Operation: "Bcast", Root: 3, Bytes: 4096},
		"gossip P=8 root=2":                          {Operation: "Bcast", Root: 2, Bytes: 8},
		"multitree P=8":                              {Operation: "Bcast", Bytes: 8},
		"big P=8":                                    {Operation: "Bcast", Bytes: 8},
		"bfb P=8":                                    {Operation: "Bcast", Bytes: 8},
		"reduce P=8 root=5":                          {Operation: "Reduce", Root: 5, Bytes: 8},
		"allreduce P=8":                              {Operation: "Allreduce", Bytes: 8},
		"collective P=8":                             {Operation: "Bcast", Bytes: 8},
		"collective P=8 op=scatter n=4 root=1":       {Operation: "Scatter", Root: 1, Bytes: 32},
		"collective P=8 op=gather":                   {Operation: "Gather", Bytes: 8},
		"collective P=8 op=reduce n=2":               {Operation: "Reduce", Bytes: 16},
		"collective P=8 op=alltoall n=3":             {Operation: "Alltoall", Bytes: 24},
		"collective P=8 op=allgather strategy=plain": {Operation: "Allgather", Bytes: 8},
		"collective P=8 op=allreduce":                {Operation: "Allreduce", Bytes: 8},
		"collective P=8 op=barrier":                  {},
		"collective P=8 op=alltoallv":                {},
		"membership P=8":                             {},
		"ulfm P=8":                                   {},
		"samplesort P=8 n=100":                       {},
		"tpch-q3 P=8 sf=0.001":                       {},
		"calibration P=8":                            {},
	} {
		run, err := catalog.ParseLine(text)
		require.NoError(t, err, text)
		got, ok := catalog.CounterpartOf(run)
		require.Equal(t, want.Operation != "", ok, text)
		if ok {
			require.Equal(t, want, got, text)
		}
	}
}
