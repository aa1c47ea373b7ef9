package conformance

import (
	"strconv"
	"strings"
)

// The arithmetic of Jacobi's method, and what the ranks must come to.

// initial is the block of a rank in the beginning.
func initial(rank int) (b block) {
	for i := range b {
		for j := range b[i] {
			b[i][j] = int64(1000 + 137*rank + 31*i + 7*j)
		}
	}
	return b
}

// relax is one iteration: each cell becomes the mean of its four neighbours. It also returns by how much cells have
// changed.
func (b block) relax(borders [4][blockSide]int64) (next block, change int64) {
	at := func(i, j int) int64 {
		switch {
		case i < 0:
			return borders[north][j]
		case i == blockSide:
			return borders[south][j]
		case j < 0:
			return borders[west][i]
		case j == blockSide:
			return borders[east][i]
		}
		return b[i][j]
	}
	for i := range b {
		for j := range b[i] {
			next[i][j] = (at(i-1, j) + at(i+1, j) + at(i, j-1) + at(i, j+1)) / 4
			change += max(next[i][j]-b[i][j], b[i][j]-next[i][j])
		}
	}
	return next, change
}

// side is what a neighbour needs.
func (b block) side(side int) (cells [blockSide]int64) {
	for k := range cells {
		switch side {
		case north:
			cells[k] = b[0][k]
		case south:
			cells[k] = b[blockSide-1][k]
		case west:
			cells[k] = b[k][0]
		case east:
			cells[k] = b[k][blockSide-1]
		}
	}
	return cells
}

// jacobiNorms are the changes of all iterations, computed by one.
func jacobiNorms() (norms [jacobiIterations + 1]int64) {
	var blocks [gridSide * gridSide]block
	for rank := range blocks {
		blocks[rank] = initial(rank)
	}
	for iteration := 1; iteration <= jacobiIterations; iteration++ {
		before := blocks
		for rank := range blocks {
			var borders [4][blockSide]int64
			row, column := rank/gridSide, rank%gridSide
			if row > 0 {
				borders[north] = before[rank-gridSide].side(south)
			}
			if row < gridSide-1 {
				borders[south] = before[rank+gridSide].side(north)
			}
			if column > 0 {
				borders[west] = before[rank-1].side(east)
			}
			if column < gridSide-1 {
				borders[east] = before[rank+1].side(west)
			}
			var change int64
			blocks[rank], change = before[rank].relax(borders)
			norms[iteration] += change
		}
	}
	return norms
}

// String is a block as a message.
func (b block) String() string {
	rows := make([]string, len(b))
	for i := range b {
		rows[i] = join(b[i])
	}
	return strings.Join(rows, ";")
}

func blockOf(text string) (b block) {
	for i, row := range strings.SplitN(text, ";", blockSide) {
		b[i] = parse(row)
	}
	return b
}

func join(cells [blockSide]int64) string {
	texts := make([]string, len(cells))
	for i, cell := range cells {
		texts[i] = strconv.FormatInt(cell, 10)
	}
	return strings.Join(texts, ",")
}

func parse(text string) (cells [blockSide]int64) {
	for i, cell := range strings.SplitN(text, ",", blockSide) {
		cells[i], _ = strconv.ParseInt(cell, 10, 64)
	}
	return cells
}
