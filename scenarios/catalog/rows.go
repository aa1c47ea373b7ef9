package catalog

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// rowCosts is what local work takes, in ticks for a thousand rows.
type rowCosts struct {
	generate uint64 // to make them
	restore  uint64 // to make them again for a rank that has failed, or to read them from a replica
	work     uint64 // to look at them
}

func rowKeys() []line.Key {
	const most = uint64(clock.MaxCost)
	return []line.Key{
		line.TimeKey("generate", 10, 0, most, "ticks to make a thousand rows").Trying(line.Words("10", "300")),
		line.AutoTimeKey("restore", 0, most, "ticks to restore them; auto: as long as to make them").Trying(line.Words("auto", "0")),
		line.TimeKey("work", 1, 0, most, "ticks to look at a thousand rows"),
	}
}

// rowCostsOf reads the keys. Whoever begins again has nothing that could be restored.
func rowCostsOf(s line.Settings) rowCosts {
	c := rowCosts{generate: s.Number("generate"), work: s.Number("work")}
	c.restore = uint64(line.AutoNumber(s, "restore", int64(c.generate)))
	if strategy := teamStrategies.Of(s, "strategy"); strategy.restart || strategy.respawn {
		c.restore = c.generate
	}
	return c
}

// make is how long it takes a rank to have the rows of a task: its own first one is made.
func (c rowCosts) make(t *collective.Team, task, rows int) clock.Time {
	if task == t.Comm().Proc().Rank() {
		return perThousand(c.generate, rows)
	}
	return perThousand(c.restore, rows)
}

// perThousand is a cost of so many ticks for a thousand rows, of so many rows.
func perThousand(ticks uint64, rows int) clock.Time {
	whole, rest := clock.Time(ticks).Times(rows/1000), clock.Time(ticks).Times(rows%1000)/1000
	return min(clock.MaxCost, whole+rest)
}
