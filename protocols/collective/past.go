package collective

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"unique"
)

// Past is what has become of the tasks of a team: who has left it, and who has taken over what. All ranks of a team come to
// the same one. Two that say the same are ==, and are in the memory of a process once: a list of its own for each of many ranks
// would take more than all else, if many have failed.
type Past struct{ said unique.Handle[record] }

// TakenOver returns the tasks that were taken over, and the ranks of the machine that have them now.
func (p Past) TakenOver() map[int]int {
	owners := p.owners()
	all := make(map[int]int, owners.len())
	for i := range owners.len() {
		all[owners.at(i).task] = owners.at(i).to
	}
	return all
}

// Gone returns the ranks of the machine that have left the team, in the order in which they did.
func (p Past) Gone() (all []int) {
	gone := p.record().gone
	for i := range gone.len() {
		all = append(all, gone.at(i))
	}
	return all
}

// record is what a past says. That of the zero Past says that nothing has happened.
func (p Past) record() record {
	if p == (Past{}) {
		return record{}
	}
	return p.said.Value()
}

// moves and owners are parts of that. They are not inlined, so that the whole of it is not on the stacks of ranks that wait.
//
//go:noinline
func (p Past) moves() moveList { return p.record().moves }

//go:noinline
func (p Past) owners() moveList { return p.record().owners }

// after is a past in which some more ranks have left and some more tasks were taken over. It sorts the moves. Every rank computes
// it, and all but one in vain, so there is little that it puts on the heap.
func (p Past) after(left []int, moves []move) Past {
	before := p.record()
	r := record{moves: before.moves + listOf(moves), gone: before.gone + numbersOf(left)}
	slices.SortFunc(moves, func(a, b move) int { return cmp.Compare(a.task, b.task) })
	var owners writer
	owners.text.Grow(len(before.owners) + 8*len(moves))
	for i := range before.owners.len() {
		old := before.owners.at(i)
		for len(moves) > 0 && moves[0].task < old.task {
			owners.move(moves[0])
			moves = moves[1:]
		}
		if len(moves) == 0 || moves[0].task != old.task {
			owners.move(old)
		}
	}
	for _, m := range moves {
		owners.move(m)
	}
	r.owners = moveList(owners.text.String())
	return Past{unique.Make(r)}
}

// record is a past in a form that can be compared.
type record struct {
	moves  moveList // in the order in which they happened
	owners moveList // the last one of each task, by task
	gone   numbers  // ranks of the machine, in the order in which they have left
}

// move is a task that was taken over.
type move struct {
	task, to int // to is a rank of the machine
}

// moveList is a list of moves: task, rank, task, rank.
type moveList string

func listOf(moves []move) moveList {
	var list writer
	list.text.Grow(8 * len(moves))
	for _, m := range moves {
		list.move(m)
	}
	return moveList(list.text.String())
}

// find is who has a task, of a list by task; ok is false if it is not in the list.
func (l moveList) find(task int) (machineRank int, ok bool) {
	low, high := 0, l.len() // not sort.Search: every message goes through here
	for low < high {
		if middle := (low + high) / 2; l.at(middle).task < task {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == l.len() || l.at(low).task != task {
		return 0, false
	}
	return l.at(low).to, true
}

// appendTakenBy appends the tasks that a rank of the machine has taken over, in the order of the list.
func (l moveList) appendTakenBy(tasks []int, machineRank int) []int {
	for i := range l.len() {
		if m := l.at(i); m.to == machineRank {
			tasks = append(tasks, m.task)
		}
	}
	return tasks
}

func (l moveList) len() int { return numbers(l).len() / 2 }

func (l moveList) at(i int) move { return move{numbers(l).at(2 * i), numbers(l).at(2*i + 1)} }

// numbers are those of tasks or ranks, four bytes each.
type numbers string

func numbersOf(list []int) numbers {
	var all writer
	all.text.Grow(4 * len(list))
	for _, x := range list {
		all.number(x)
	}
	return numbers(all.text.String())
}

// writer writes numbers.
type writer struct{ text strings.Builder }

func (w *writer) move(m move) {
	w.number(m.task)
	w.number(m.to)
}

func (w *writer) number(x int) {
	var four [4]byte
	binary.LittleEndian.PutUint32(four[:], uint32(x))
	w.text.Write(four[:])
}

func (n numbers) len() int { return len(n) / 4 }

func (n numbers) at(i int) int {
	four := n[4*i : 4*i+4]
	return int(uint32(four[0]) | uint32(four[1])<<8 | uint32(four[2])<<16 | uint32(four[3])<<24)
}
