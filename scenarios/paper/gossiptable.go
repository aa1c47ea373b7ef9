package paper

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// caseStudyRow is a row of the table in figure 7: what an algorithm costs on 4,096 ranks.
type caseStudyRow struct {
	algorithm     string
	down          int
	latency, work float64 // the paper's
	many, one     point   // ranks receive many messages at once, as the paper assumes, or one at a time
}

// printedRows are the table in figure 7 as far as it is printed.
var printedRows = []caseStudyRow{
	{algorithm: "GOS", down: 0, latency: 53, work: 95418},
	{algorithm: "GOS", down: 3, latency: 53, work: 95331},
	{algorithm: "OCG", down: 0, latency: 42, work: 38400},
	{algorithm: "OCG", down: 3, latency: 42, work: 38355},
	{algorithm: "CCG", down: 0, latency: 44, work: 19057},
	{algorithm: "CCG", down: 3, latency: 46, work: 16952},
	{algorithm: "FCG", down: 0, latency: 48, work: 23153},
	{algorithm: "FCG", down: 3, latency: 51, work: 23101},
	{algorithm: "BIG", down: 0, latency: 60, work: 49152},
	{algorithm: "BIG", down: 3, latency: 60, work: 49152},
	{algorithm: "BFB", down: 0, latency: 96, work: 4096},
	{algorithm: "BFB", down: 3, latency: 144, work: 8192},
}

func (r caseStudyRow) printedLatency() float64 { return r.latency }
func (r caseStudyRow) printedWork() float64    { return r.work }
func (r caseStudyRow) ourLatency() float64     { return r.many.latency().Mean() }
func (r caseStudyRow) ourWork() float64        { return r.many.Messages.Mean() }

// ourLatencyAsPrinted is the latency with that of BIG as the paper has it: until the last rank has sent its
// last message.
func (r caseStudyRow) ourLatencyAsPrinted() float64 { return r.ourLatency() - r.many.notPrinted() }

// gossipEnd is the T of a row, if it has one.
func (r caseStudyRow) gossipEnd() any {
	if _, ok := r.many.settings.Lookup("T"); !ok {
		return nil
	}
	return int(r.many.gossipEnd())
}

// missedPercent is the share of live ranks that are not reached.
func (p point) missedPercent() float64 {
	return 100 * p.Missed.Mean() / float64(p.ranks()-p.down())
}

// caseStudyRows finds what was measured for each row.
func caseStudyRows(points []point) ([]caseStudyRow, error) {
	var rows []caseStudyRow
	for _, row := range printedRows {
		found := 0
		for _, p := range points {
			if p.algorithm() != row.algorithm || p.down() != row.down {
				continue
			}
			found++
			if p.settings.LogP().ManyReceives {
				row.many = p
			} else {
				row.one = p
			}
		}
		if found != 2 {
			return nil, fmt.Errorf("paper: %d points of %s with %d ranks down, want 2", found, row.algorithm, row.down)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

const caseStudyFoot = `many: ranks receive many messages at once, as the paper assumes; one: LogP, one at a time
latency: GOS, CCG, FCG: the last rank is done; OCG, BIG: the last message is received;
BFB: the root knows that all have it. BIG: 60 is when the last message is sent, 63 when it has come
the paper's work of CCG and FCG is an erratum: until T=36 gossip alone sends 38,066 messages
(lemma 1); 19,057 is what CCG costs with T=24. BFB: the paper leaves out acknowledgements; its 144
are for a failure in the middle, ours are for ranks that the detector knew before. Why the paper
has 46 for CCG with three down is not known. Numbers within 2 % of the paper's count as the same, as
does FCG below BIG within 2 percentage points, and OCG below GOS if it rounds to the same ten`

// caseStudyTable is the table in figure 7.
func caseStudyTable(all []measured) (*Result, error) {
	rows, err := caseStudyRows(slices.Concat(all[0].points, all[1].points))
	if err != nil {
		return nil, err
	}
	r := &Result{
		Note: fmt.Sprintf("4,096 ranks, L=2 o=1, means of %s", runsText(all[0].Runs)),
		Table: Table{Columns: []Column{
			{Name: "protocol", Left: true}, {Name: "T"}, {Name: "down"}, {Name: "latency: paper"},
			{Name: "latency: many", Digits: 1}, {Name: "latency: ±", Digits: 2}, {Name: "latency: one", Digits: 1},
			{Name: "work: paper"}, {Name: "work: many"}, {Name: "work: one"}, {Name: "missed %", Digits: 4},
		}},
		Claims: caseStudyClaims(rows),
		Foot:   caseStudyFoot,
	}
	for _, row := range rows {
		r.Table.add(row.algorithm, row.gossipEnd(), row.down, row.latency, row.ourLatency(), confidence(row.many.latency()), row.one.latency().Mean(),
			row.work, row.ourWork(), row.one.Messages.Mean(), row.many.missedPercent())
	}
	r.Drawing = caseStudyFigure(rows, r.Note+", with their 95 % confidence")
	return r, nil
}

// printedPrecision is how far the paper says its means may be off: its intervals lie within 2 %.
const printedPrecision = 0.02

// printedPoints is how many percentage points a quotient of two such means may be off.
const printedPoints = 2

// caseStudyClaims compares latency and work of each algorithm, and what the text makes of them.
func caseStudyClaims(rows []caseStudyRow) (claims []Claim) {
	for _, quantity := range []struct {
		name        string
		digits      int
		paper, ours func(caseStudyRow) float64
	}{
		{"latency", 1, caseStudyRow.printedLatency, caseStudyRow.ourLatency},
		{"work", 0, caseStudyRow.printedWork, caseStudyRow.ourWork},
	} {
		for i := 0; i < len(rows); i += 2 { // without failures, then with three
			paper, faultyPaper := quantity.paper(rows[i]), quantity.paper(rows[i+1])
			ours, faultyOurs := quantity.ours(rows[i]), quantity.ours(rows[i+1])
			claims = append(claims, judged(
				fmt.Sprintf("%s: %s, none and three down", rows[i].algorithm, quantity.name),
				fmt.Sprintf("%.0f, %.0f", paper, faultyPaper),
				fmt.Sprintf("%.*f, %.*f", quantity.digits, ours, quantity.digits, faultyOurs),
				number(ours).in(near(paper, printedPrecision)), number(faultyOurs).in(near(faultyPaper, printedPrecision))))
		}
	}
	return append(claims, caseStudyText(rows)...)
}

// caseStudyText is what section IV-D says, in the order of its text.
func caseStudyText(rows []caseStudyRow) []Claim {
	of := func(algorithm string, down int, value func(caseStudyRow) float64) float64 {
		return value(rows[slices.IndexFunc(rows, func(row caseStudyRow) bool { return row.algorithm == algorithm && row.down == down })])
	}
	less := func(a, b string, down int, value func(caseStudyRow) float64) float64 {
		return 100 * (1 - of(a, down, value)/of(b, down, value))
	}
	work, latency := less("OCG", "GOS", 0, caseStudyRow.ourWork), less("OCG", "GOS", 0, caseStudyRow.ourLatency)
	// The paper's 15 % is 1 - 51/60: with three ranks down, and BIG until its last message is sent.
	big, bigWork := less("FCG", "BIG", 3, caseStudyRow.ourLatencyAsPrinted), less("FCG", "BIG", 0, caseStudyRow.ourWork)
	return []Claim{
		judged("OCG: work below that of GOS", "60 %", fmt.Sprintf("%.0f %%", work), number(work).in(&reach{55, justUnder(65)})),
		judged("OCG: latency below that of GOS", "20 %", fmt.Sprintf("%.0f %%", latency), number(latency).in(&reach{15, justUnder(25)})),
		judged("FCG: latency below that of BIG until its last send, three down", "15 %", fmt.Sprintf("%.0f %%", big), number(big).in(&reach{15 - printedPoints, 15 + printedPoints})),
		judged("FCG: work below that of BIG", "more than 50 %", fmt.Sprintf("%.0f %%", bigWork), number(bigWork).in(above(50))),
	}
}

// caseStudyFigure draws latency and work side by side, ours and the paper's.
func caseStudyFigure(rows []caseStudyRow, note string) figure.Sheet {
	sheet := figure.Sheet{Title: "Broadcasts on 4,096 ranks", Note: note, Columns: 2}
	for _, down := range []int{0, 3} {
		title := map[int]string{0: "nobody is down", 3: "three ranks are down"}[down]
		same := slices.DeleteFunc(slices.Clone(rows), func(row caseStudyRow) bool { return row.down != down })
		sheet.Figures = append(sheet.Figures,
			caseStudyBars(same, title, "latency (ticks), ± 95 %", 1, caseStudyRow.printedLatency, point.latency),
			caseStudyBars(same, title, "thousand messages, ± 95 %", 1000, caseStudyRow.printedWork, func(p point) *stats.Sample { return &p.Messages }))
	}
	for i := range sheet.Figures[:2] { // one legend in each column says enough
		sheet.Figures[i].Legend = figure.None
	}
	return sheet
}
