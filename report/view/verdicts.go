package view

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
)

// verdictItem is a verdict as a page has it.
type verdictItem struct {
	Name     string          `json:"name"`
	Held     bool            `json:"held"` // for who reads pages by a program
	Value    guarantee.Value `json:"verdict"`
	Evidence string          `json:"evidence"`
	Beyond   string          `json:"beyond,omitempty"`
	Marks    *barColumns     `json:"marks,omitempty"`
}

// barColumns are the marks of a verdict, in the order in which they begin.
type barColumns struct {
	Count  int      `json:"count"`
	Texts  []string `json:"texts"`
	Rank   column   `json:"rank"`
	Text   column   `json:"text"` // index into Texts
	From   column   `json:"from"` // after the one before
	Took   column   `json:"took"` // -1 if it never ended
	Guilty column   `json:"guilty"`
}

// maxMarks is how many marks of a verdict are drawn at most.
const maxMarks = 20_000

// checkMarks says what is wrong with the marks of verdicts.
func checkMarks(verdicts []guarantee.Verdict, ranks int) error {
	for _, v := range verdicts {
		for _, m := range v.Marks {
			switch {
			case m.Rank < 0 || m.Rank >= ranks:
				return fmt.Errorf("view: verdict %q marks %q of rank %d, want ranks of 0 to %d", v.Name, m.Text, m.Rank, ranks-1)
			case m.From < 0 || m.From >= clock.Forever || m.To < m.From:
				return fmt.Errorf("view: verdict %q marks %q from t=%d to %s, want instants of 0 to %d in ascending order, or clock.Forever for its end",
					v.Name, m.Text, m.From, m.To, clock.Forever-1)
			}
		}
	}
	return nil
}

// lastMark is when the last mark of any verdict begins, or ends in a run that was over at an instant: what should have happened later, or never ended,
// goes on to the end of the page.
func lastMark(verdicts []guarantee.Verdict, over clock.Time) (last clock.Time) {
	for _, v := range verdicts {
		for _, m := range v.Marks {
			last = max(last, m.From)
			if m.To < clock.Forever {
				last = max(last, min(m.To, over))
			}
		}
	}
	return last
}

// verdicts lists the verdicts of a run with the marks that are drawn.
func verdicts(run Run, leftOut []string) ([]verdictItem, []string) {
	items := make([]verdictItem, 0, len(run.Guarantees))
	outside := 0
	for _, v := range run.Guarantees {
		item := verdictItem{Name: v.Name, Held: v.Value == guarantee.Held, Value: v.Value, Evidence: v.Evidence, Beyond: v.Beyond}
		var drawn []guarantee.Mark
		for _, m := range v.Marks {
			if run.Ranks.has(m.Rank) {
				drawn = append(drawn, m)
			}
		}
		outside += len(v.Marks) - len(drawn)
		if len(drawn) > maxMarks {
			leftOut = append(leftOut, fmt.Sprintf("%d of the %d marks of %q are drawn, those that are wrong first.", maxMarks, len(drawn), v.Name))
			slices.SortStableFunc(drawn, func(a, b guarantee.Mark) int { return cmp.Compare(number(b.Guilty), number(a.Guilty)) })
			drawn = drawn[:maxMarks]
		}
		item.Marks = bars(drawn)
		items = append(items, item)
	}
	if outside > 0 {
		leftOut = append(leftOut, fmt.Sprintf("Marks of verdicts at ranks that are not drawn: %d.", outside))
	}
	return items, leftOut
}

// bars are nil if there is nothing to mark.
func bars(all []guarantee.Mark) *barColumns {
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b guarantee.Mark) int { return cmp.Compare(a.From, b.From) })
	var texts names
	of := func(f func(*guarantee.Mark) int64) column { return columnOf(all, f) }
	b := &barColumns{
		Count: len(all),
		Rank:  of(func(m *guarantee.Mark) int64 { return int64(m.Rank) }),
		Text:  of(func(m *guarantee.Mark) int64 { return int64(texts.index(m.Text)) }),
		From:  of(func(m *guarantee.Mark) int64 { return int64(m.From) }).steps(),
		Took: of(func(m *guarantee.Mark) int64 {
			if m.To >= clock.Forever {
				return -1
			}
			return int64(m.To - m.From)
		}),
		Guilty: of(func(m *guarantee.Mark) int64 { return number(m.Guilty) }),
	}
	b.Texts = texts.names
	return b
}

// number is 1 for true.
func number(is bool) int64 {
	if is {
		return 1
	}
	return 0
}
