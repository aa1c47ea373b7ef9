package conformance

import (
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Jacobi's method on a grid of ranks, in whole numbers, so that results can be compared.

const (
	gridSide         = 2 // ranks in a row and in a column
	blockSide        = 2 // cells in a row and in a column of a rank
	jacobiIterations = 12
	jacobiDeath      = 7
	jacobiCheckpoint = 5
)

var jacobiNoFT = Case{
	Suite: Jacobi, Name: "jacobi_cpu_noft", Ranks: 4, Faults: "none",
	Checks: "without a failure, and nothing about failures: norms are right; a failure aborts the run",
	Run: func(r *Rank) {
		r.World.SetErrhandler(ulfm.ErrorsAbort)
		j := newJacobi(r, r.World)
		if err := j.split(); err != nil {
			return
		}
		for j.iteration < jacobiIterations {
			if err := j.step(); err != nil {
				return
			}
		}
	},
	Explored: Exploration{Fatal: true, Why: "errors are fatal"},
	Differs:  "12 iterations of whole numbers, 2x2 cells a rank",
}

var jacobiBckpt = Case{
	Suite: Jacobi, Name: "jacobi_cpu_bckpt", Ranks: 4, Faults: "crash:1@step:die,rejoin:1@t600",
	Checks:   "a rank fails amid an exchange of borders, is started anew and gets its block from its right neighbour; norms are those without a failure",
	Run:      func(r *Rank) { r.jacobiWithCheckpoints() },
	Explored: Exploration{Rejoins: true, Fatal: true, Why: "if a rank is lost of which no checkpoint is there the program aborts"},
	Differs: "12 iterations of whole numbers, 2x2 cells a rank; a checkpoint counts once all have found that nobody is lost; rows and columns are revoked with the whole: in the original a rank may wait there for ever for a neighbour that has left to repair; " +
		startedByUs + bothAgree,
}

// jacobi is what a rank computes with.
type jacobi struct {
	r           *Rank
	c           *ulfm.Comm
	row, column *ulfm.Comm
	iteration   int
	cells       block
	kept, buddy copied
	dies        bool // in its time
}

// block is what a rank has of the grid.
type block [blockSide][blockSide]int64

// copied is a checkpoint; iteration -1 if there is none.
type copied struct {
	iteration int
	cells     block
}

func newJacobi(r *Rank, c *ulfm.Comm) *jacobi {
	none := copied{iteration: -1}
	return &jacobi{r: r, c: c, cells: initial(r.me), kept: none, buddy: none}
}

func (r *Rank) jacobiWithCheckpoints() {
	var j *jacobi
	lost := r.anew()
	if lost {
		j = newJacobi(r, r.begin(true))
	} else {
		j = newJacobi(r, r.World)
		j.dies = r.me == 1
	}
	for {
		err := j.toTheEnd(lost)
		lost = true
		if err == errRepaired {
			continue
		}
		if err != nil {
			r.any(j.c, "iterations", err, failed|revoked)
			j.revoke()
		}
		if !j.repaired() {
			r.is("error of an iteration in which nobody was lost", err, nil)
			break
		}
	}
	r.is("iterations", j.iteration, jacobiIterations)
}

// repaired replaces who has failed, and reports whether anybody had.
func (j *jacobi) repaired() bool {
	whole := j.r.replace(j.c, true)
	if whole == j.c {
		return false
	}
	j.row, j.column = free(j.row), free(j.column)
	j.c = whole
	return true
}

// toTheEnd computes from the last checkpoint, or from the beginning.
func (j *jacobi) toTheEnd(lost bool) error {
	if err := j.split(); err != nil {
		return err
	}
	if lost {
		if err := j.reload(); err != nil {
			return err
		}
	}
	for j.iteration < jacobiIterations {
		if j.iteration%jacobiCheckpoint == 0 {
			if err := j.checkpoint(); err != nil {
				return err
			}
		}
		if err := j.step(); err != nil {
			return err
		}
	}
	return nil
}

// split makes rows and columns. All agree that they are there.
func (j *jacobi) split() error {
	me := j.c.Rank()
	row, err := j.c.Split(me/gridSide, me)
	if err == nil {
		j.row = row
		j.column, err = j.c.Split(me%gridSide, me)
	}
	if !j.r.agreed(j.c, err == nil) && err == nil {
		return ulfm.ErrRevoked // another has none
	}
	return err
}

func (j *jacobi) revoke() {
	for _, c := range []*ulfm.Comm{j.c, j.row, j.column} {
		if c != nil {
			c.Revoke()
		}
	}
}

// step exchanges borders and computes an iteration.
func (j *jacobi) step() error {
	borders, err := j.exchange()
	if err != nil {
		return err
	}
	var change int64
	j.cells, change = j.cells.relax(borders)
	norm, err := j.r.allreduce(j.c, change, ulfm.Sum)
	if err != nil {
		return err
	}
	j.iteration++
	j.r.is("norm of iteration "+strconv.Itoa(j.iteration), norm, jacobiNorms()[j.iteration])
	return nil
}

// The four sides of a block.
const (
	north = iota
	south
	west
	east
)

// exchange sends what is at the border to the neighbours and receives what is at theirs. Beyond the grid all is zero.
func (j *jacobi) exchange() (borders [4][blockSide]int64, err error) {
	var requests []*ulfm.Request
	for side := range 4 {
		c, at := j.row, j.row.Rank()
		if side == north || side == south {
			c, at = j.column, j.column.Rank()
		}
		to := at - 1 + 2*(side%2)
		if to < 0 || to >= c.Size() {
			to = ulfm.None
		}
		requests = append(requests, c.Irecv(to, int64(side^1)), c.Isend(to, int64(side), join(j.cells.side(side))))
	}
	if j.dies && j.iteration == jacobiDeath {
		j.r.die()
	}
	all, err := ulfm.Waitall(requests...)
	if err != nil {
		return borders, err
	}
	for side := range 4 {
		if all[2*side].From != ulfm.None {
			borders[side] = parse(all[2*side].Payload)
		}
	}
	return borders, nil
}

// checkpoint keeps the block here and at the right neighbour; it counts once all have come to its end, which is a Shrink:
// those who have lost somebody call that, too.
func (j *jacobi) checkpoint() error {
	right, left := (j.c.Rank()+1)%4, (j.c.Rank()+3)%4
	receive := j.c.Irecv(left, 20)
	err := j.c.Send(right, 20, j.cells.String())
	var got ulfm.Received
	if err == nil {
		got, err = receive.Wait()
	}
	if err != nil {
		return err
	}
	if j.repaired() {
		return errRepaired
	}
	j.kept, j.buddy = copied{j.iteration, j.cells}, copied{j.iteration, blockOf(got.Payload)}
	return nil
}

// reload brings all back to the last checkpoint. Those that are lost get theirs from the right neighbour.
func (j *jacobi) reload() error {
	right, left := (j.c.Rank()+1)%4, (j.c.Rank()+3)%4
	last, err := j.r.allreduce(j.c, int64(j.kept.iteration), ulfm.Max)
	if err != nil {
		return err
	}
	got, err := j.c.Sendrecv(left, 21, strconv.Itoa(j.buddy.iteration)+" "+j.buddy.cells.String(), right, 21)
	if err != nil {
		return err
	}
	if last < 0 {
		j.c.Abort(1)
	}
	if j.kept.iteration != int(last) {
		iteration, cells, _ := strings.Cut(got.Payload, " ")
		if iteration != strconv.FormatInt(last, 10) {
			j.c.Abort(1)
		}
		j.kept = copied{int(last), blockOf(cells)}
	}
	j.iteration, j.cells = j.kept.iteration, j.kept.cells
	return nil
}
