package proctest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
)

var storageCases = []Case{
	{Name: "ranks have storage if the machine has", on: simple(3), check: storageOrNone},
	{Name: "what a rank reads is what it has changed last, and names are sorted", Storage: true, on: simple(20), check: readsItsOwn},
	{Name: "storage is empty when a run begins", Storage: true, on: simple(3), check: startsEmpty},
	{Name: "a rank that crashes after its program has returned loses what it has not synced", Storage: true, on: simple(len(afterReturn) + 1), check: forgetsAfterReturn},
	triedOnStorage("a fault of a rank with storage happens at its point, and what was synced and what it keeps is there afterwards", storageSingles()),
	triedOnStorage("changes and syncs count over all lives, whatever happens to them", storagePairs()),
}

func storageOrNone(c *checker) {
	for rank, found := range gather(c, func(p protocols.Proc) bool { _, err := protocols.StorageOf(p); return err == nil }) {
		if found != c.machine.Stores {
			c.errorf("rank %d has storage: %v, want %v", rank, found, c.machine.Stores)
		}
	}
}

// readsItsOwn has ranks change and read records at random, each its own. None fails, so syncs have no effect.
func readsItsOwn(c *checker) {
	const steps = 150
	got := gather(c, func(p protocols.Proc) (read []string) {
		disk := p.Storage()
		scribble(p.Rank(), steps, disk.Write, disk.Delete, disk.Sync, func(name string) {
			value, ok := disk.Read(name)
			read = append(read, fmt.Sprintf("%s=%q %v of %q", name, value, ok, disk.Names()))
		})
		return read
	})
	for rank := range got {
		var want []string
		model := make(map[string]string)
		scribble(rank, steps, func(name, value string) { model[name] = value }, func(name string) { delete(model, name) }, func() {}, func(name string) {
			value, ok := model[name]
			want = append(want, fmt.Sprintf("%s=%q %v of %q", name, value, ok, slices.Sorted(maps.Keys(model))))
		})
		same(c, fmt.Sprintf("what rank %d reads", rank), got[rank], want)
	}
}

// scribble does something with storage that depends on the rank only.
func scribble(rank, steps int, write func(name, value string), remove func(name string), sync func(), read func(name string)) {
	random := rand.New(rand.NewPCG(1, uint64(rank)))
	names := []string{"", "a", "B", "a b", "ä\x00", "z/z"}
	for range steps {
		name := names[random.IntN(len(names))]
		switch random.IntN(8) {
		case 0, 1, 2:
			write(name, strings.Repeat(fmt.Sprint(rank, random.IntN(100)), random.IntN(4)))
		case 3:
			remove(name)
		case 4:
			sync()
		default:
			read(name)
		}
	}
}

// startsEmpty runs the same twice: what the first run has left is not there in the second one.
func startsEmpty(c *checker) {
	for range 2 {
		for rank, found := range gather(c, func(p protocols.Proc) []string {
			disk := p.Storage()
			found := disk.Names()
			disk.Write("left", "over")
			disk.Sync()
			return found
		}) {
			same(c, fmt.Sprintf("what rank %d finds", rank), found, nil)
		}
	}
}

// afterReturn is what ranks find that crash when their programs have returned, by what they keep.
var afterReturn = []struct {
	kept faults.Group
	want []string
}{{"", []string{"a=1"}}, {"1", []string{"a=2"}}, {"2", []string{"a=1", "b=2"}}, {faults.Others, []string{"a=2", "b=2"}}}

// forgetsAfterReturn has ranks return with changes that are not safe.
func forgetsAfterReturn(c *checker) {
	unit := max(300, 200+c.machine.Late/4)
	var all faults.Schedule
	for rank, r := range afterReturn {
		all = append(all,
			faults.Fault{Kind: faults.Crash, Rank: rank, At: faults.OnTime(early * unit), Kept: r.kept},
			faults.Fault{Kind: faults.Rejoin, Rank: rank, At: faults.OnTime(back * unit)})
	}
	seen := run(c, setup{seed: 1, faults: all}, func(p protocols.Proc, remember func(func(own *ledger))) {
		switch disk := p.Storage(); {
		case p.Rank() == len(afterReturn):
			p.WaitUntil(overAt * unit)
		case p.Life() == 0:
			disk.Write("a", "1")
			disk.Sync()
			disk.Write("a", "2")
			disk.Write("b", "2")
		default:
			for _, name := range disk.Names() {
				value, _ := disk.Read(name)
				remember(func(own *ledger) { own.Done = append(own.Done, name+"="+value) })
			}
		}
	})
	if c.judge(seen.aftermath, c.Ranks-1); c.broken {
		return
	}
	differs := c.tooLate // perhaps: it has not returned in time
	if c.machine.exact() {
		differs = c.errorf
	}
	for rank, r := range afterReturn {
		if found := seen.by[rank].Done; !slices.Equal(found, r.want) {
			differs("%v: rank %d finds %q, want %q", all[2*rank], rank, found, r.want)
		}
	}
}

// storagePoints are where faults of ranks with storage are: at each kind of point in their first life and, if they come back, in later ones.
func storagePoints() []faults.Point {
	all := []faults.Point{faults.OnTime(early), faults.OnTime(late)}
	for _, n := range []int{1, 4, 6, 7} {
		all = append(all, faults.BeforeNthWrite(n), faults.DuringNthWrite(n), faults.AfterNthWrite(n))
	}
	for _, n := range []int{1, 2, 3} {
		all = append(all, faults.BeforeNthSync(n), faults.DuringNthSync(n), faults.AfterNthSync(n))
	}
	return all
}

// storageFaults are faults of each kind, with what they keep.
var storageFaults = []faults.Fault{
	{Kind: faults.Crash}, {Kind: faults.Crash, Kept: faults.Others}, {Kind: faults.Crash, Kept: "1"}, {Kind: faults.Crash, Kept: "2"}, {Kind: faults.Crash, Kept: "1+3"},
	{Kind: faults.Hang}, {Kind: faults.Hang, Kept: "2"}, {Kind: faults.Slow, Factor: 3},
}

// storageSingles are schedules of one fault, and ranks that come back.
func storageSingles() (all []faults.Schedule) {
	for _, at := range storagePoints() {
		for _, f := range storageFaults {
			f.At = at
			all = append(all, append(faults.Schedule{f}, rejoins...))
		}
	}
	return all
}

// storagePairs are schedules of two faults, in either order, each time with something else that is kept.
func storagePairs() (all []faults.Schedule) {
	points := storagePoints()
	for i, first := range points {
		for j, second := range points {
			a, b := storageFaults[(i+j)%len(storageFaults)], storageFaults[(i+3*j)%5]
			a.At, b.At = first, second
			if i != j {
				all = append(all, append(faults.Schedule{a, b}, rejoins...))
			}
		}
	}
	return all
}
