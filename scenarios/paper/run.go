package paper

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/handout"
)

// Options say how to run an experiment.
type Options struct {
	Folder  string // where the results of campaigns are kept; it is made if need be
	Size    campaign.Size
	Runs    int    // of each point; 0: what Size says
	Seed    uint64 // 0: that of the campaign
	Workers int    // runs at a time; 0: one for each processor
	// Office hands out runs to other processes, besides, see [campaign.Options]. Optional.
	Office *handout.Office

	// Job runs a command of this program on the processes of an MPI job, and returns what the first of them prints. Nil: there is no MPI.
	Job func(ctx context.Context, j Job) ([]byte, error)

	// Expect is told of each campaign, before the first begins, how many runs are left, and how long
	// they will take; Progress how far it has come. An experiment that is no campaign has one that is nothing but a name. Optional.
	Expect   func(c *campaign.Campaign, runs int, took time.Duration)
	Progress func(c *campaign.Campaign, done, of int)
}

// Suffix tells files of an experiment with different options apart; chance has no part in some.
func (o Options) Suffix(e Experiment) string {
	switch {
	case e.measure != nil && e.full && o.Size == campaign.Full, e.Engine && o.Runs == 0:
		return o.Size.Suffix()
	case e.Engine:
		return fmt.Sprintf("-%d", o.Runs)
	case e.measure != nil:
		return ""
	}
	suffix := o.Size.Suffix()
	if o.Runs > 0 {
		suffix = fmt.Sprintf("-%d", o.Runs)
	}
	if o.Seed != 0 {
		suffix += fmt.Sprintf("-seed%d", o.Seed)
	}
	return suffix
}

// CheckMemory refuses experiments whose largest machines do not fit into memory, as many as run at a time.
func (o Options) CheckMemory(e Experiment) error {
	for _, name := range e.Campaigns {
		c, err := readCampaign(name, o.Size)
		if err != nil {
			return err
		}
		if err := c.CheckMemory(o.Workers); err != nil {
			return err
		}
	}
	return nil
}

// Run runs what has not been run yet, and evaluates it. If it is interrupted, the next Run with the
// same options goes on from there.
func (e Experiment) Run(ctx context.Context, o Options) (*Result, error) {
	result, err := e.result(ctx, o)
	if err != nil {
		return nil, err
	}
	result.Name = e.Name
	return result, nil
}

func (e Experiment) result(ctx context.Context, o Options) (*Result, error) {
	if e.measure != nil {
		return e.measure(ctx, o)
	}
	var planned []*plannedCampaign
	for _, name := range e.Campaigns {
		p, err := o.plan(name, o.Suffix(e))
		if err != nil {
			return nil, err
		}
		planned = append(planned, p)
	}
	for _, p := range planned { // before the first begins
		if err := o.expect(ctx, p); err != nil {
			return nil, err
		}
	}
	var all []measured
	for _, p := range planned {
		m, err := o.run(ctx, p)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	result, err := e.evaluate(all)
	if err == nil && len(result.Claims) > 0 {
		result.Foot = strings.Trim(result.Foot+"\n"+fewer(planned), "\n")
	}
	return result, err
}

// fewer warns of verdicts on fewer runs than usual.
func fewer(planned []*plannedCampaign) string {
	var few []string
	for _, p := range planned {
		if p.Runs < p.usual {
			few = append(few, fmt.Sprintf("%s instead of %s a point in %s", thousands(p.Runs), thousands(p.usual), p.Name))
		}
	}
	if few == nil {
		return ""
	}
	return "Fewer runs than usual, so what differs, or not, may be chance: " + strings.Join(few, ", ")
}

// plannedCampaign is a campaign and where its results go.
type plannedCampaign struct {
	*campaign.Campaign
	file  string
	usual int // runs of a point, if the user does not say
}

func (o Options) plan(name, suffix string) (*plannedCampaign, error) {
	c, err := readCampaign(name, o.Size)
	if err != nil {
		return nil, err
	}
	usual := must(readCampaign(name, campaign.Usual))
	if o.Runs > 0 && c.Full != 1 { // one run tells all where chance has no part
		c.Runs = o.Runs
	}
	if o.Seed != 0 {
		c.Seed = o.Seed
	}
	return &plannedCampaign{c, filepath.Join(o.Folder, name+suffix+".ndjson"), usual.Runs}, os.MkdirAll(o.Folder, 0o777)
}

// run runs one campaign, as far as it has not been run.
func (o Options) run(ctx context.Context, p *plannedCampaign) (measured, error) {
	options := campaign.Options{Workers: o.Workers, Office: o.Office}
	if o.Progress != nil {
		options.Progress = func(done, of int) { o.Progress(p.Campaign, done, of) }
	}
	if err := p.Run(ctx, p.file, options); err != nil {
		return measured{}, err
	}
	c, points, err := campaign.Summarize(catalog.All(), p.file)
	if err != nil {
		return measured{}, err
	}
	return newMeasured(c, points)
}

// worthTelling is how many runs of each point there are if it may take a while.
const worthTelling = 50

// expect tells how long a campaign will take.
func (o Options) expect(ctx context.Context, p *plannedCampaign) error {
	if o.Expect == nil || p.Runs < worthTelling {
		return nil
	}
	left, took, err := p.Estimate(ctx, p.file, campaign.Options{Workers: o.Workers, Office: o.Office})
	if err == nil && left > 0 {
		o.Expect(p.Campaign, left, took)
	}
	return err
}
