package emutest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/internal/wholefile"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/report/traceevent"
	"github.com/mangrove-emu/mangrove/report/view"
)

// pageOf runs a schedule of a test once more and writes its page.
func (s *hunt) pageOf(ctx context.Context, path string, by call, v *Violation) error {
	p, err := newPlayer(&s.Test, s.seeing(s.protect), 1, emu.TraceEvents)
	if err != nil {
		return err
	}
	run, err := p.play(ctx, v.Schedule, v.Seed)
	if err != nil {
		return err
	}
	return p.writePage(path, by, run)
}

// writePage writes a run as a page.
func (p *player) writePage(path string, by call, run played) error {
	if run.report == nil {
		return errors.New("the run has no end")
	}
	program, rep := p.instance.Program, run.report
	var page bytes.Buffer
	err := view.Write(&page, view.Run{
		Run: traceevent.Run{
			Report: rep, KindName: program.KindName, Network: p.test.Network,
			Uncoloured: len(program.Initiators) == 0, // nothing is spread
			Line:       fmt.Sprintf("%v faults=%v seed=%d", by, rep.Faults, rep.Seed),
		},
		Ranks:      view.DefaultRange(len(rep.Ranks)),
		Rows:       p.rows(by, rep),
		Guarantees: run.verdicts,
	})
	if err != nil {
		return err
	}
	return wholefile.Write(path, page.Bytes())
}

// rows are results in words.
func (p *player) rows(by call, rep *report.Report) []view.Row {
	again := Violation{Schedule: rep.Faults, Seed: rep.Seed}
	rows := []view.Row{{Name: "again", Text: again.command(by, p.test.Seed)}}
	if len(p.test.Roots) > 0 {
		rows = append(rows, view.Row{Name: "roots", Text: guarantee.ListRanks(p.test.Roots)})
	}
	return append(rows,
		view.Row{Name: "messages", Text: strconv.FormatInt(rep.Messages, 10)},
		view.Row{Name: "quiet", Text: fmt.Sprintf("t=%d", rep.Quiescence)})
}
