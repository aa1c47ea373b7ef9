package line

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

// Keys of these names say how long storage takes only on lines of protocols that have some.
func TestStorageKeysAreThoseOfProtocolsThatStore(t *testing.T) {
	named := func(name string) Key { return NumberKey(name, 1, 0, 9, "something else") }
	for _, c := range []struct {
		name string
		own  Keys
		want clock.Disk
	}{
		{"one of them", Keys{named("sync")}, clock.Disk{}},
		{"another one", Keys{named("read")}, clock.Disk{}},
		{"all three", Keys{named("write"), named("sync"), named("read")}, clock.Disk{}},
		{"none", nil, clock.Disk{}},
		{"storage", StorageKeys(), clock.Disk{Write: 3, Sync: 3, Read: 3}},
	} {
		words := []string{"log"}
		for _, key := range c.own {
			words = append(words, key.Name+"=3")
		}
		l, wrong := Read(words, slices.Concat(c.own, CommonKeys()), true)
		require.Empty(t, wrong, c.name)
		s := l.Settings()
		require.Equal(t, c.want, s.Disk(), c.name)
		for _, key := range c.own {
			require.EqualValues(t, 3, s.Number(key.Name), "it has its value")
		}
	}
}

// A line that is made up may look at it, too.
func TestMadeUpLinesKnowHowLongStorageTakes(t *testing.T) {
	var seen []clock.Disk
	own := NumberKey("last", 0, 0, 9, "").Trying(func(s Settings) []string {
		seen = append(seen, s.Disk())
		return []string{"1"}
	})
	last := func(_ Key, values []string) string { return values[len(values)-1] }
	MakeUp("log", slices.Concat(CommonKeys(), StorageKeys(), Keys{own}), nil, last)
	MakeUp("log", slices.Concat(CommonKeys(), Keys{NumberKey("sync", 0, 0, 9, ""), own}), nil, last)
	require.Equal(t, []clock.Disk{{Write: 1, Sync: 9}, {}}, seen)
}
