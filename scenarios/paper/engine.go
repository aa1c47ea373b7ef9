package paper

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

// Some experiments compare with what an MPI library has of its own, on real processes: there is no other way to know how fast that is.

// Job is what is run in an MPI job: a command of this program.
type Job struct {
	Processes int
	Apart     bool // processes send each other everything over TCP, though they could share memory
	Alone     bool // no job: the command starts processes itself, if it wants any
	Words     []string
}

// ErrNoEngine is why an experiment that needs MPI cannot be run.
var ErrNoEngine = errors.New("it compares with an MPI library's own operations; want a program that was built for MPI (with -tags mpi), started alone")

// spread is what calls took, in microseconds.
type spread struct{ median, lower, upper float64 }

// beside is a line and the library's own operation, by turns in one job.
type beside struct {
	ours, native       spread
	ratio, least, most float64 // of ours to the library's: the median of turns, the lowest and the highest
	library            string
	verdict            string
}

// besideJSON is what 'mangrove join' prints of it.
type besideJSON struct {
	Library string      `json:"library"`
	Verdict string      `json:"verdict"`
	Ours    *spreadJSON `json:"ours_ns"`
	Native  *spreadJSON `json:"native_ns"`
	Ratio   []float64   `json:"ratio"`
}

type spreadJSON struct {
	Median float64 `json:"median"`
	Lower  float64 `json:"lower_quartile"`
	Upper  float64 `json:"upper_quartile"`
}

// broken is the verdict of runs in which a promise was broken.
const broken = "broken"

// us is the same in microseconds; what nobody has measured cannot be told.
func (s *spreadJSON) us() spread {
	if s == nil {
		return spread{math.NaN(), math.NaN(), math.NaN()}
	}
	return spread{s.Median / 1000, s.Lower / 1000, s.Upper / 1000}
}

// readBeside reads what a job has printed.
func readBeside(text []byte) (beside, error) {
	var j besideJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return beside{}, fmt.Errorf("paper: what a job has printed: %w", err)
	}
	if j.Native == nil || len(j.Ratio) != 3 {
		return beside{}, errors.New("paper: a job has measured nothing")
	}
	if j.Ours == nil || j.Verdict == broken { // nobody has got everything, or not what it should be: that has taken no time, and shows nothing
		j.Ours, j.Ratio = nil, []float64{math.NaN(), math.NaN(), math.NaN()}
	}
	return beside{j.Ours.us(), j.Native.us(), j.Ratio[0], j.Ratio[1], j.Ratio[2], j.Library, j.Verdict}, nil
}

// engine runs lines in MPI jobs, and counts them.
type engine struct {
	Options
	named    *campaign.Campaign
	done, of int
}

func newEngine(o Options, name string, of int) (*engine, error) {
	if o.Job == nil {
		return nil, ErrNoEngine
	}
	return &engine{Options: o, named: &campaign.Campaign{Name: name}, of: of}, nil
}

// run runs a line beside the library's own operation.
func (e *engine) run(ctx context.Context, processes int, apart bool, line string) (beside, error) {
	words := append([]string{"join"}, strings.Fields(line)...)
	text, err := e.Job(ctx, Job{Processes: processes, Apart: apart, Words: append(words, "native=same", "--turns", fmt.Sprint(e.turns()), "--json")})
	if err != nil {
		return beside{}, fmt.Errorf("%s on %d processes: %w", line, processes, err)
	}
	b, err := readBeside(text)
	if err != nil {
		return b, fmt.Errorf("%s on %d processes: %w", line, processes, err)
	}
	e.progress()
	return b, nil
}

// progress tells of one more thing that is done.
func (e *engine) progress() {
	if e.done++; e.Progress != nil {
		e.Progress(e.named, e.done, e.of)
	}
}

// turns is how many both take.
func (e *engine) turns() int {
	if e.Runs > 0 {
		return e.Runs
	}
	return map[campaign.Size]int{campaign.Quick: 3, campaign.Usual: 10, campaign.Full: 30}[e.Size]
}

// processSizes are numbers of processes: more than two processors are shared, which is why there are not many.
func (o Options) processSizes() []int {
	switch o.Size {
	case campaign.Quick:
		return []int{2, 4, 8}
	case campaign.Full:
		return []int{2, 4, 8, 16, 32}
	}
	return []int{2, 4, 8, 16}
}
