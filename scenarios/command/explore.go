package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/handout"
)

const exploreHelp = `Run every schedule of up to N failures: ranks crash or hang before, in and after
each of their sends, at each receive and each named step, in all combinations.
Roots are spared unless --roots is given. Schedules that no other rank can tell
apart are run once. The report says how many are covered, those included, and
has the smallest schedule for each set of guarantees that is broken; exit status
1 if there is any, 3 if nothing was promised in any of the runs.

N is 1 unless the line says 'faults<=N', or --max-faults does. The quotes keep
the shell from reading < as a redirection.

'delays<=N', 'losses<=N' and 'duplicates<=N' let so many messages be late, be
lost or arrive twice in a schedule, together with failures if 'faults<=N' is
there, too. Delays are not tried by the tick, but by what ranks can notice:
after which other messages, and after which deadlines of its receiver, a late
message comes, and all that follows from it. That is complete, however long
delays are, for programs that name instants as sums of what they have seen and
constants; --every tries each tick. Messages behind a late one on its link wait
for it, unless the line says links=unordered. --seeds N repeats all of it.

--orders runs all orders in which messages can be delivered, whatever each of
them takes, of a program that never looks at the clock.

With --before ranks fail, and messages that something happens to are sent,
before that tick only: protocols that need time to get over a failure promise
little about late ones, and such runs are not judged.

Faults of the line (faults=crash:2@t9,rejoin:2@t80) happen in every run, as far
as they still can; N counts those that are added. Where ranks come back every
point of every life is run.

With --rejoin each rank that has failed also comes back some time later, in
protocols that let it: 20,50 means after so many ticks, 1..60 after any number
of them; every point is run then. With --cut each rank is also cut off from all
others. Both count as faults: a rank that fails and comes back takes two. On cut
links most protocols promise nothing but that nobody receives what was not sent.

After Ctrl-C or SIGTERM the report says what was found until then, and the exit
status is 130. With --state FILE the same command then goes on where it stopped;
the file is also written every 10 seconds.`

func (a *app) exploreCommand() *cobra.Command {
	var f exploreFlags
	cmd := &cobra.Command{
		Use:   "explore WORD... ['faults<=N'] ['delays<=N']...",
		Short: "Run every schedule of up to N failures or delays",
		Long:  exploreHelp,
		Example: `  mangrove explore broadcast P=8 'faults<=2'
  mangrove explore broadcast correction=failure-proof f=1 P=8 --roots
  mangrove explore broadcast P=6 'delays<=2'
  mangrove explore collective P=4 'faults<=1' 'delays<=1'
  mangrove explore membership P=4 faults=crash:2@t9,rejoin:2@t80 'faults<=1'
  mangrove explore reduce P=6 f=1 --json
  mpirun -n 4 mangrove explore broadcast P=16 'faults<=3'   # share the runs`,
		Annotations: map[string]string{sharable: "yes"},
		RunE:        func(cmd *cobra.Command, words []string) error { return a.explore(cmd.Context(), words, f) },
	}
	f.searchFlags.register(cmd, faults.Crash, faults.Hang)
	for _, name := range boundNames {
		cmd.Flags().Var(number(boundOf(&f.most, name), 1, maxFaults), "max-"+name, fmt.Sprintf("up to `n` %s in a schedule, as '%s<=n'", name, name))
	}
	cmd.Flags().Var(number(&f.MaxLate, 1, clock.MaxCost), "max-late", "delay messages by up to `n` ticks only")
	cmd.Flags().Var(number(&f.seeds, 1, maxSeeds), "seeds", "repeat it for `n` seeds, from that of the line on")
	cmd.Flags().Var(number(&f.Before, 1, clock.MaxCost), "before", "let ranks fail before tick `n` only")
	cmd.Flags().Var(ticks(&f.Rejoins, 1), "rejoin", "let failed ranks come back after `ticks`: 9,50 or 1..60")
	cmd.Flags().Var(ticks(&f.Cuts, 0), "cut", "cut off each rank at these `ticks`, such as 0,30")
	cmd.Flags().BoolVar(&f.every, "every", false, "run every point, also those that come to the same")
	cmd.Flags().BoolVar(&f.orders, "orders", false, "run all orders of deliveries, if time plays no part")
	cmd.Flags().Var(named(&f.state, "the name of a file"), "state", "keep the state of the exploration in `file`")
	return cmd
}

type exploreFlags struct {
	searchFlags
	search.Instants
	most  search.Bounds // 0: not said
	seeds int
	every bool
	// orders goes through orders of deliveries in the place of anything else
	orders bool
	state  string
}

// maxSeeds is how many seeds an exploration has at most.
const maxSeeds = 1_000_000

// resumption says how to go on after an interrupt.
func (f *exploreFlags) resumption() string {
	if f.state == "" {
		return ""
	}
	return ", the same command goes on from here"
}

// parseSearch reads the line of an exploration, and how much a schedule may have at most.
func (a *app) parseSearch(words []string, flags search.Bounds) (run *scenarios.Run, most search.Bounds, err error) {
	words, most, err = takeBounds(words)
	if err != nil {
		return nil, most, err
	}
	for _, name := range boundNames {
		word, flag := boundOf(&most, name), *boundOf(&flags, name)
		if *word > 0 && flag > 0 {
			return nil, most, fmt.Errorf("both %s<=%d and --max-%s %d, want one of them", name, *word, name, flag)
		}
		*word = max(*word, flag)
	}
	if most == (search.Bounds{}) {
		if i := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, "faults=") }); i >= 0 {
			return nil, most, fmt.Errorf("%q: that happens in every run; want 'faults<=N' beside it for how many more are searched for", words[i])
		}
		most.Faults = 1
	}
	run, err = a.registry.Parse(words)
	return run, most, err
}

// saveEvery is how often the state of an exploration is kept.
var saveEvery = 10 * time.Second

func (a *app) explore(ctx context.Context, words []string, f exploreFlags) error {
	run, most, err := a.parseSearch(words, f.most)
	if err != nil {
		return err
	}
	if err := run.Subject().CheckMemory(f.workers); err != nil {
		return err
	}
	if err := f.allowed(run, most); err != nil {
		return err
	}
	if f.orders {
		if most, err = f.onlyOrders(run, words); err != nil {
			return err
		}
	}
	run, brief := inBrief(run, most)
	options := f.options(most)
	options.Given = run.Settings().Faults()
	return a.handOut(ctx, a.assist(f.workers, search.AssistExploration(f.subject(run), options)), func(office *handout.Office) error {
		options.Elsewhere = elsewhere(office)
		return a.exploreRun(ctx, run, f, most, options, brief)
	})
}

// exploreRun explores a line and says what was found.
func (a *app) exploreRun(ctx context.Context, run *scenarios.Run, f exploreFlags, most search.Bounds, options search.ExploreOptions, notes []string) error {
	subject := f.subject(run)
	asked := search.NewState(run.String(), subject, options)
	asked.Orders = f.orders
	state, err := openState(f.state, asked, a.registry)
	if err != nil {
		return err
	}
	bar := a.newBar()
	result := &exploration{Line: run.String(), Orders: f.orders, Bounds: most, scope: f.scope(run, most.Faults, a.name), Instants: f.Instants, given: len(options.Given) > 0}
	result.Notes = append(result.Notes, notes...)
	options.Resume = state.found()
	options.Progress = func(p search.Progress) { result.Done = p.Done; bar.show(p) }
	options.Save = func(x *search.Exploration) { bar.warn(state.store(x)) }
	found, err := f.search(ctx, subject, options)
	bar.clear()
	var byTime *search.ClockError
	if errors.As(err, &byTime) {
		return fmt.Errorf("--orders: rank %d decides by time at t=%d; want a protocol that never looks at its clock, or 'delays<=N'", byTime.Rank, byTime.Time)
	}
	if found == nil {
		return orInterrupted(ctx, err, "")
	}
	result.add(run, found)
	if found.Complete() {
		result.Done = 1 // exactly, which sums of shares are not
	}
	if result.Interrupted = ctx.Err() != nil && !found.Complete(); result.Interrupted {
		err = nil // it says no more than that
	}
	if unexplained := f.explain(ctx, run, result.Violations); unexplained != nil && !result.Interrupted {
		err = errors.Join(err, unexplained)
	}
	problem := errors.Join(state.store(found), show(a.stdout, result, f.json), err)
	switch {
	case problem != nil:
		return failure{problem}
	case result.Interrupted:
		return interrupted{f.resumption()}
	}
	return searched(result.Judged, result.Violations)
}

// search explores what was asked for.
func (f *exploreFlags) search(ctx context.Context, subject *search.Subject, options search.ExploreOptions) (*search.Exploration, error) {
	if !f.orders {
		return search.Explore(ctx, subject, options)
	}
	return search.Orders(ctx, subject, search.OrdersOptions{Workers: options.Workers, Resume: options.Resume, Progress: options.Progress})
}

// onlyOrders refuses what does not go with orders.
func (f *exploreFlags) onlyOrders(run *scenarios.Run, words []string) (none search.Bounds, err error) {
	_, bounds, _ := takeBounds(words)
	switch {
	case bounds != none || f.most != none:
		return none, errors.New("--orders: any number of messages is late, and nobody fails; want no bounds such as delays<=1 beside it")
	case len(run.Settings().Faults()) > 0:
		return none, fmt.Errorf("--orders: nobody fails; want no %s beside it", run.Settings().FaultsWord())
	case f.every || f.seeds > 1 || len(f.Rejoins)+len(f.Cuts) > 0 || f.Before > 0 || f.MaxLate > 0:
		return none, errors.New("--orders: want none of --every, --seeds, --rejoin, --cut, --before and --max-late beside it")
	}
	return none, nil
}

// inBrief shortens a service that goes on for a while, if the line does not say for how long, and something happens to messages: what it does
// in one round it does in all of them.
func inBrief(run *scenarios.Run, most search.Bounds) (short *scenarios.Run, notes []string) {
	if most.Delays+most.Losses+most.Duplicates == 0 {
		return run, nil
	}
	for key, value := range run.Experiment().Brief {
		notes = append(notes, fmt.Sprintf("%s=%s: one round stands for all; type %s= for more", key, value, key))
		run = run.WithSetting(key, value)
	}
	return run, notes
}

// scope says what fails. Ranks that come back can fail more than once.
func (f *exploreFlags) scope(run *scenarios.Run, most int, by commandName) scope {
	asked := most
	if len(f.Rejoins)+len(f.Cuts) > 0 || run.Settings().Faults().Has(faults.Rejoin) {
		most = 0
	}
	s := f.searchFlags.scope(run, most, by)
	if !f.orders && len(f.Rejoins) == 0 && !run.Settings().Faults().Has(faults.Rejoin) {
		s.noteUnread(run, f.toReturn(asked))
	}
	return s
}

// toReturn is what to type for ranks to come back.
func (f *exploreFlags) toReturn(most int) string {
	if most < 2 {
		return "'faults<=2' --rejoin 20,50"
	}
	return "--rejoin 20,50"
}

// options turns flags into options.
func (f *exploreFlags) options(most search.Bounds) search.ExploreOptions {
	return search.ExploreOptions{
		Faults: most.Faults, Delays: most.Delays, Losses: most.Losses, Duplicates: most.Duplicates, MaxLate: f.MaxLate, Seeds: f.seeds,
		Kinds: f.kinds, Every: f.every, Roots: f.roots, Workers: f.workers, SaveEvery: saveEvery,
		Before: f.Before, Rejoins: f.Rejoins, Cuts: f.Cuts,
	}
}

// allowed refuses ranks that come back where they cannot, and where nobody would: one that the line lets fail needs no second fault for it.
func (f *exploreFlags) allowed(run *scenarios.Run, most search.Bounds) error {
	if len(f.Rejoins) == 0 {
		return nil
	}
	flag := typedTicks("rejoin", f.Rejoins)
	if err := mayReturn(run, flag); err != nil {
		return err
	}
	need, why := 2, aloneNobodyReturns
	if slices.ContainsFunc(run.Settings().Faults(), func(f faults.Fault) bool { return f.Kind.Stops() }) {
		need, why = 1, "nobody would come back by that, as a rejoin is a fault"
	}
	if f.orders || most.Faults >= need { // orders have no faults, and no flags about them
		return nil
	}
	return fmt.Errorf("%s with %s: %s; want faults<= and a number from %d to %d", flag, boundWords(most), why, need, maxFaults)
}

// exploration is what an exploration has found, as JSON shows it.
type exploration struct {
	Line   string `json:"line"`
	Orders bool   `json:"orders,omitempty"` // of deliveries, whatever messages take
	search.Bounds
	Interrupted bool    `json:"interrupted"`
	Done        float64 `json:"done"` // about which share of the whole; 1 if complete
	scope
	search.Instants
	given      bool
	Covered    int64                 `json:"covered"`
	Cases      int                   `json:"cases,omitempty"` // if something happens to messages
	Limit      clock.Time            `json:"limit,omitempty"` // up to which delays were tried, where all make a difference
	Seeds      int                   `json:"seeds,omitempty"` // how many were tried, if more than one
	Runs       int64                 `json:"runs"`
	Distinct   int64                 `json:"distinct"`
	Judged     guarantee.Tally       `json:"judged"`
	Violations []scenarios.Violation `json:"violations"`
}

func (x *exploration) print(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s %s\n\n", x.Line, x.asked())
	if x.Interrupted {
		printRow(b, "INTERRUPTED", "after about %.0f %% of the exploration", 100*x.Done)
	}
	printRow(b, "failures", "%s", x.who())
	x.printCovered(b)
	printRow(b, "runs", "%d, %d different", x.Runs, x.Distinct)
	printScope(b, x.scope, x.Judged, x.Violations)
	for i := range x.Violations {
		x.printViolation(b, &x.Violations[i], "the smallest of which is")
	}
	printWarning(b, x.Judged)
	return b.Flush()
}

// asked is what was explored, as it is typed.
func (x *exploration) asked() string {
	if x.Orders {
		return "--orders"
	}
	return boundWords(x.Bounds)
}

// printCovered says what the runs stand for.
func (x *exploration) printCovered(w io.Writer) {
	if x.Orders {
		printRow(w, "covered", "%s in which messages can be delivered", text.Count(x.Cases, "order"))
	} else if x.Cases > 0 {
		printRow(w, "covered", "%s of up to %s: who takes what in which order, and which deadlines pass", text.Count(x.Cases, "case"), describeBounds(x.Bounds))
	} else {
		printRow(w, "covered", "%s of up to %s", countOrMore(x.Covered, "schedule"), describeBounds(x.Bounds))
	}
	if x.Seeds > 1 {
		printRow(w, "seeds", "%d, from that of the line on", x.Seeds)
	}
	switch {
	case x.MaxLate > 0:
		printRow(w, "delays", "up to %d ticks", x.MaxLate)
	case x.Limit > 0:
		printRow(w, "delays", "up to %d ticks where a missing message keeps ranks busy for ever; as long as they make a difference elsewhere", x.Limit)
	}
}

// who says who fails, and what happens besides.
func (x *exploration) who() string {
	text := x.scope.who()
	if x.Faults == 0 {
		text = "none"
	}
	if x.Before > 0 && x.Faults == 0 {
		text += fmt.Sprintf("; messages sent before t=%d", x.Before)
	} else if x.Before > 0 {
		text += fmt.Sprintf(" before t=%d", x.Before)
	}
	if x.given {
		text += ", besides those of the line"
	}
	if len(x.Rejoins) > 0 {
		text += ", back after " + listTicks(x.Rejoins) + " ticks"
	}
	if len(x.Cuts) > 0 {
		text += "; cut off at t=" + listTicks(x.Cuts)
	}
	return text
}

// add takes over what was found.
func (x *exploration) add(run *scenarios.Run, found *search.Exploration) {
	x.Covered, x.Runs, x.Distinct, x.Judged = found.Covered, found.Runs, found.Distinct, found.Tally
	x.Cases, x.Limit = len(found.Cases), found.Limit
	if found.Seeds > 1 {
		x.Seeds = found.Seeds
	}
	x.Violations = run.Violations(found.Seen())
}
