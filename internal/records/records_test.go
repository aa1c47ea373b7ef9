package records

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func write(name, value string) Change { return Change{Name: name, Value: value} }

func none(int) bool { return false }

func TestWhatIsNotSafeIsLostUnlessItIsKept(t *testing.T) {
	for _, c := range []struct {
		what string
		kept []int
		want map[string]string
		lost int
	}{
		{"nothing", nil, map[string]string{"a": "1", "b": "1"}, 4},
		{"the first", []int{1}, map[string]string{"a": "2", "b": "1"}, 3},
		{"the second only", []int{2}, map[string]string{"a": "1"}, 3},
		{"the last of one record", []int{1, 3}, map[string]string{"a": "3", "b": "1"}, 2},
		{"all", []int{1, 2, 3, 4}, map[string]string{"a": "3", "b": "4"}, 0},
		{"what there is not", []int{9}, map[string]string{"a": "1", "b": "1"}, 4},
	} {
		var r Records
		r.Change(write("a", "1"))
		r.Change(write("b", "1"))
		r.Sync()
		r.Change(write("a", "2"))
		r.Change(Change{Name: "b", Deleted: true})
		r.Change(write("a", "3"))
		r.Change(write("b", "4"))
		lost := r.Fail(func(change int) bool {
			for _, k := range c.kept {
				if k == change {
					return true
				}
			}
			return false
		})
		require.Equal(t, c.lost, lost, c.what)
		require.Equal(t, c.want, all(&r), c.what)
		require.Empty(t, r.Unsafe())
		require.Zero(t, r.Fail(none), "what was left is safe")
		require.Equal(t, c.want, all(&r), c.what)
	}
}

// all reads all records.
func all(r *Records) map[string]string {
	read := make(map[string]string)
	for _, name := range r.Names() {
		read[name], _ = r.Read(name)
	}
	return read
}

func TestAProgramSeesItsChangesAtOnce(t *testing.T) {
	var r Records
	_, ok := r.Read("a")
	require.False(t, ok)
	require.Empty(t, r.Names())
	r.Change(write("a", ""))
	value, ok := r.Read("a")
	require.True(t, ok, "an empty value is one")
	require.Empty(t, value)
	r.Change(Change{Name: "a", Deleted: true})
	_, ok = r.Read("a")
	require.False(t, ok)
}

// Whatever is done, what was there at the last sync is there after a failure that keeps nothing.
func TestAFailureGoesBackToTheLastSync(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r Records
		safe := map[string]string{}
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				r.Sync()
				safe = all(&r)
			case 1:
				r.Fail(none)
				require.Equal(t, safe, all(&r))
			default:
				name := strconv.Itoa(rapid.IntRange(0, 3).Draw(t, "name"))
				deleted := rapid.Bool().Draw(t, "deleted")
				r.Change(Change{Name: name, Value: rapid.StringN(0, 3, 3).Draw(t, "value"), Deleted: deleted})
				_, there := r.Read(name)
				require.NotEqual(t, deleted, there)
			}
		}
		r.Fail(none)
		require.Equal(t, safe, all(&r))
	})
}
