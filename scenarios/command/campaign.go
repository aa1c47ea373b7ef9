package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/internal/wholefile"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/handout"
)

// campaignHelp has a line in the place of LINE.
const campaignHelp = `Run a campaign: a line with keys that take several values, each combination many
times. FILE describes it in TOML:

  name = "checked"
  line = "LINE"
  runs = 1000
  seed = 1
  [[sweep]]
  key = "faults"
  values = ["none", "crash:1%", "crash:4%"]

Values may be a range: "1024..65536 x4" multiplies, "10..50 +20" adds, and
"crash:~1..64 x2" is crash:~1, crash:~2, crash:~4 and so on.

Results go to a file, one line of JSON for each run. If it is there, what is
missing in it is run: after Ctrl-C, or a kill, the same command goes on where it
stopped. With --shard 2/8 the third eighth of the runs is done, in a file of its
own; 'mangrove merge' joins all. In a SLURM job array that is the default.

Broken guarantees are counted, they are no error: the exit status is 0.`

func (a *app) campaignCommand() *cobra.Command {
	var f campaignFlags
	cmd := &cobra.Command{
		Use:         "campaign FILE",
		Short:       "Run many lines many times, and keep the results",
		Long:        strings.Replace(campaignHelp, "LINE", a.example("broadcast P=4096 correction=checked", placeholder+" P=64"), 1),
		Example:     "  mangrove campaign checked.toml\n  mangrove campaign checked.toml --shard 0/4 --out part0.ndjson\n  mpirun -n 4 mangrove campaign checked.toml   # which share the runs",
		Args:        oneFile,
		Annotations: map[string]string{sharable: "yes"},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.handOut(cmd.Context(), a.serveCampaigns(f.Workers), func(office *handout.Office) error {
				f.Office = office
				return a.campaign(cmd.Context(), args[0], f)
			})
		},
	}
	cmd.Flags().BoolVar(&f.quick, "quick", false, "as many runs as FILE calls quick")
	cmd.Flags().BoolVar(&f.full, "full", false, "as many runs as FILE calls full; tells how long that takes")
	cmd.Flags().StringVar(&f.out, "out", "", "write results to `file`; else NAME.ndjson")
	cmd.Flags().StringVar(&f.shard, "shard", "", "do `i/n` of the runs, from 0/n to n-1/n")
	cmd.Flags().Var(number(&f.Workers, 0, maxWorkers), "workers", "do `n` runs at a time, 0: one a processor")
	return cmd
}

// serveCampaigns does runs of campaigns for another process.
func (a *app) serveCampaigns(workers int) func(context.Context, parts.Mail) error {
	return func(ctx context.Context, group parts.Mail) error {
		return campaign.Serve(ctx, a.registry, group, workers)
	}
}

type campaignFlags struct {
	campaign.Options
	out, shard  string
	quick, full bool
}

// sizeOf is the size that --quick and --full ask for.
func sizeOf(quick, full bool) (campaign.Size, error) {
	switch {
	case quick && full:
		return campaign.Usual, errors.New("want one of --quick and --full")
	case quick:
		return campaign.Quick, nil
	case full:
		return campaign.Full, nil
	}
	return campaign.Usual, nil
}

func oneFile(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%d files, want one", len(args))
	}
	return nil
}

func (a *app) campaign(ctx context.Context, file string, f campaignFlags) error {
	text, err := wholefile.Read(file)
	if err != nil {
		return err
	}
	c, err := campaign.Parse(a.registry, string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	size, err := sizeOf(f.quick, f.full)
	if err != nil {
		return err
	}
	if c, err = c.Resize(size); err != nil {
		return err
	}
	if f.Shard, err = parseShard(f.shard); err != nil {
		return err
	}
	if err := c.CheckMemory(f.Workers); err != nil {
		return err
	}
	if f.out == "" {
		f.out = f.Shard.FileName(c.Name + size.Suffix())
	}
	if f.full {
		if err := a.tellTime(ctx, c, f.out, f.Options); err != nil {
			return err
		}
	}
	if err := a.runCampaign(ctx, c, f.out, f.Options); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s\n\n", f.out)
	return a.summary(f.out, campaign.UsualPercentile, false)
}

// runCampaign runs it with a bar.
func (a *app) runCampaign(ctx context.Context, c *campaign.Campaign, out string, o campaign.Options) error {
	bar := a.newBar()
	o.Progress = bar.countRuns()
	err := c.Run(ctx, out, o)
	bar.clear()
	return orInterrupted(ctx, err, fmt.Sprintf("; the same command goes on with %s", out))
}

// tellTime says how long a campaign will take.
func (a *app) tellTime(ctx context.Context, c *campaign.Campaign, out string, o campaign.Options) error {
	left, took, err := c.Estimate(ctx, out, o)
	if left > 0 {
		a.expectRuns(c, left, took)
	}
	return orInterrupted(ctx, err, "")
}

// expectRuns says how many runs are ahead.
func (a *app) expectRuns(c *campaign.Campaign, runs int, took time.Duration) {
	fmt.Fprintf(a.stderr, "%s: %s: %s, about %v\n", a.name, c.Name, text.Count(runs, "run"), took.Round(time.Second))
}

// parseShard reads --shard, or takes the task of a SLURM job array.
func parseShard(text string) (campaign.Shard, error) {
	if text == "" {
		return campaign.SlurmShard(os.Getenv)
	}
	s, err := campaign.ParseShard(text)
	if err != nil {
		return s, fmt.Errorf("--shard %w", err)
	}
	return s, nil
}
