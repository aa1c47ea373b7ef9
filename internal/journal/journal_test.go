package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/internal/records"
)

const owner = "rank 3 of run 5f1c"

func write(name, value string) records.Change { return records.Change{Name: name, Value: value} }

// read is what another life finds at a place.
func read(t require.TestingT, path string) map[string]string {
	found, err := tryToRead(path)
	require.NoError(t, err)
	return found
}

func tryToRead(path string) (map[string]string, error) {
	j, found := New(path, owner), records.Records{}
	defer j.Close()
	if err := j.Read(&found); err != nil {
		return nil, err
	}
	all := make(map[string]string)
	for _, name := range found.Names() {
		all[name], _ = found.Read(name)
	}
	if len(found.Unsafe()) > 0 {
		return nil, fmt.Errorf("%d changes are not safe", len(found.Unsafe()))
	}
	return all, nil
}

func add(t require.TestingT, j *Journal, changes ...records.Change) {
	require.NoError(t, j.Append(changes))
	require.NoError(t, j.Flush())
	j.Keep()
}

func TestWhatWasAppendedIsReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	require.Empty(t, read(t, path))
	require.NoFileExists(t, path, "nothing was written")

	first := New(path, owner)
	require.NoError(t, first.Flush(), "there is nothing")
	add(t, first, write("a", "1"), write("b", ""), write("", "c"), write("long", string(make([]byte, 5000))))
	add(t, first)
	require.NoError(t, first.Close())

	second, known := New(path, owner), records.Records{}
	require.NoError(t, second.Read(&known))
	require.Equal(t, []string{"", "a", "b", "long"}, known.Names())
	add(t, second, write("a", "2\n\x00"), records.Change{Name: "long", Deleted: true}, records.Change{Name: "unknown", Deleted: true})
	require.NoError(t, second.Close())
	require.Equal(t, map[string]string{"": "c", "a": "2\n\x00", "b": ""}, read(t, path))
}

func TestRollbackTakesBackWhatWasNotKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	j := New(path, owner)
	defer j.Close()
	require.NoError(t, j.Rollback(), "there is no file yet")
	require.NoError(t, j.Append([]records.Change{write("a", "1")}))
	require.NoError(t, j.Rollback())
	require.Empty(t, read(t, path))
	add(t, j, write("a", "2"))
	require.NoError(t, j.Append([]records.Change{write("a", "3")}))
	require.NoError(t, j.Append([]records.Change{write("b", "3")}))
	require.NoError(t, j.Flush())
	require.NoError(t, j.Rollback())
	require.Equal(t, map[string]string{"a": "2"}, read(t, path))
	add(t, j, write("c", "4"))
	require.Equal(t, map[string]string{"a": "2", "c": "4"}, read(t, path))
}

// Wherever its writer dies, a batch is there or not, and all before it is.
func TestAFileThatEndsAnywhereHasAllBatchesThatAreComplete(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	j := New(path, owner)
	var ends []int64
	for i := range 4 {
		add(t, j, write("a", fmt.Sprint(i)), write(fmt.Sprint(i), ""))
		ends = append(ends, j.size)
	}
	require.NoError(t, j.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for length := range int64(len(text)) + 1 {
		require.NoError(t, os.WriteFile(path, text[:length], 0o600))
		complete := 0
		for complete < len(ends) && ends[complete] <= length {
			complete++
		}
		found := read(t, path)
		if complete == 0 {
			require.Empty(t, found, "%d bytes", length)
		} else {
			require.Len(t, found, complete+1, "%d bytes", length)
			require.Equal(t, fmt.Sprint(complete-1), found["a"], "%d bytes", length)
		}
		again := New(path, owner) // whoever goes on there does not go on behind the half
		require.NoError(t, again.Read(new(records.Records)))
		add(t, again, write("b", "x"))
		require.NoError(t, again.Close())
		found["b"] = "x"
		require.Equal(t, found, read(t, path), "%d bytes", length)
	}
}

// Whoever made a file may have been killed before its folder was flushed. Of one that is gone, somebody says so.
func TestTheFolderIsFlushedOnceInEachLife(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it flushes no folders, and removes none that is in use")
	}
	folder := filepath.Join(t.TempDir(), "folder")
	require.NoError(t, os.Mkdir(folder, 0o700))
	j := New(filepath.Join(folder, "a"), owner)
	add(t, j, write("a", "1"))
	require.NoError(t, j.Close())
	next := New(filepath.Join(folder, "a"), owner)
	require.NoError(t, next.Read(new(records.Records)))
	require.NoError(t, os.RemoveAll(folder))
	require.ErrorIs(t, next.Flush(), os.ErrNotExist)
	require.NoError(t, os.Mkdir(folder, 0o700))
	require.NoError(t, next.Flush())
	require.NoError(t, os.RemoveAll(folder))
	require.NoError(t, next.Flush(), "once is enough")
	require.NoError(t, next.Close())
}

// Whoever was killed may have left much more than what comes next is long.
func TestNothingIsLeftOfAHalfBehindWhatIsWrittenNext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	j := New(path, owner)
	add(t, j, write("a", "1"))
	half := j.size + 500
	add(t, j, write("b", strings.Repeat("x", 1000)))
	require.NoError(t, j.Close())
	require.NoError(t, os.Truncate(path, half))
	again := New(path, owner)
	require.NoError(t, again.Read(new(records.Records)))
	add(t, again, write("c", "3"))
	require.NoError(t, again.Close())
	require.Equal(t, map[string]string{"a": "1", "c": "3"}, read(t, path))
}

// A checksum may be right by chance, or because somebody has made it so.
func TestTextsThatEndBeforeTheirLength(t *testing.T) {
	for _, text := range []string{"", "\x02a", "\xff", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01a"} {
		_, _, ok := cutText([]byte(text))
		require.False(t, ok, "%q", text)
	}
}

// Whichever bit is another one, somebody says so, and where; unless the end of the file is where that bit says that a batch is not over.
func TestWhatIsNotAsItWasWrittenIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	j := New(path, owner)
	add(t, j, write("a", "1"), records.Change{Name: "b", Deleted: true})
	second := j.size
	add(t, j, write("c", "2"))
	require.NoError(t, j.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for i := range text {
		for bit := range 8 {
			text[i] ^= 1 << bit
			require.NoError(t, os.WriteFile(path, text, 0o600))
			text[i] ^= 1 << bit
			_, err := tryToRead(path)
			switch {
			case i < len(j.title):
				require.ErrorContains(t, err, path+" begins with ")
				require.ErrorContains(t, err, "want \"mangrove storage 1 of rank 3 of run 5f1c\": it is no storage, or of another run")
			case int64(i) < second:
				require.ErrorContains(t, err, fmt.Sprintf("%s is damaged at byte %d: ", path, len(j.title)))
			default:
				require.ErrorContains(t, err, fmt.Sprintf("%s is damaged at byte %d: ", path, second))
			}
		}
	}
}

// A batch at another place than where it was written is none, such as one that is there twice.
func TestABatchAtAnotherPlaceIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	j := New(path, owner)
	add(t, j, write("a", "1"))
	require.NoError(t, j.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(text, text[len(j.title):]...), 0o600))
	_, err = tryToRead(path)
	require.ErrorContains(t, err, fmt.Sprintf("is damaged at byte %d: the head of a batch has checksum", len(text)))
}

func TestFilesOfOthersAreLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	other := New(path, "rank 3 of run 77")
	add(t, other, write("a", "1"))
	require.NoError(t, other.Close())
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	_, err = tryToRead(path)
	require.EqualError(t, err, path+` begins with "mangrove storage 1 of rank 3 of run 77", want "mangrove storage 1 of rank 3 of run 5f1c": it is no storage, or of another run`)
	require.ErrorIs(t, New(path, owner).Append(nil), os.ErrExist, "who has not read it does not write to it")
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, before, after)
}

// A rank fails while it waits for the disk: somebody else takes back what it has appended.
func TestAJournalIsFlushedAndRolledBackAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	j := New(path, owner)
	add(t, j, write("a", "1"))
	for range 20 {
		require.NoError(t, j.Append([]records.Change{write("a", "2")}))
		var wait sync.WaitGroup
		wait.Go(func() { require.NoError(t, j.Flush()) })
		wait.Go(func() { require.NoError(t, j.Rollback()) })
		wait.Wait()
	}
	require.NoError(t, j.Close())
	require.Equal(t, map[string]string{"a": "1"}, read(t, path))
}

// Whatever is done, a journal has what its records have.
func TestAJournalHasWhatWasKept(t *testing.T) {
	dir, number := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		number++
		path := filepath.Join(dir, fmt.Sprint(number))
		j, safe := New(path, owner), records.Records{}
		for range rapid.IntRange(0, 15).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				require.NoError(t, j.Close())
				j, safe = New(path, owner), records.Records{}
				require.NoError(t, j.Read(&safe))
			case 1:
				require.NoError(t, j.Append([]records.Change{write("a", "lost")}))
				require.NoError(t, j.Rollback())
			default:
				c := records.Change{Name: rapid.StringN(0, 3, 3).Draw(t, "name"), Value: rapid.StringN(0, 3, 3).Draw(t, "value")}
				if rapid.Bool().Draw(t, "deleted") {
					c = records.Change{Name: c.Name, Deleted: true}
				}
				safe.Change(c)
				require.NoError(t, j.Append(safe.Unsafe()))
				j.Keep()
				safe.Sync()
			}
		}
		require.NoError(t, j.Close())
		found := read(t, path)
		require.Len(t, found, len(safe.Names()))
		for _, name := range safe.Names() {
			value, _ := safe.Read(name)
			require.Equal(t, value, found[name])
		}
	})
}

func FuzzReplay(f *testing.F) {
	j := New("a", owner)
	f.Add([]byte(j.title))
	f.Add(appendBatch([]byte(j.title), int64(len(j.title)), []records.Change{write("a", "1"), {Name: "a", Deleted: true}}))
	f.Fuzz(func(t *testing.T, text []byte) {
		var found records.Records
		end, err := j.replay(text, &found)
		if err != nil {
			return
		}
		var again records.Records
		same, err := j.replay(text[:end], &again)
		require.NoError(t, err)
		require.Equal(t, end, same)
		require.Equal(t, found.Unsafe(), again.Unsafe())
	})
}
