package launch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"time"

	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// JobOptions describe one process of a job whose processes know each other already, such as one that mpirun has started.
type JobOptions struct {
	// Group are the processes. They use it to agree on how to begin, and not afterwards.
	Group parts.Group
	// Carrier takes messages of ranks from process to process.
	Carrier tcp.Carrier
	// Doomed says why the job does not survive it if one of its processes is killed; "" if it does.
	Doomed string
	// Played has ranks fail without their processes, also if they have one each: these are needed afterwards.
	Played bool
	// Listen is the address on which others reach process 0. "": any port, of 127.0.0.1 if all are on one host, else of the host's own name.
	Listen   string
	Pace     tcp.Pace
	Eager    bool          // as in Options
	Record   bool          // as in Options; process 0 decides for all
	Storage  string        // as in JoinOptions
	Patience time.Duration // as in Options
	Timeout  time.Duration // as in Options, and for all processes to come
	Log      func(line string)
	// Begun is called when all processes know how to begin. From then on the others can tell if one of them has ended, and go on without it if they can. Optional.
	Begun func()

	folder folder // of this process
}

// JoinJob takes part in a run on all processes of a group: all call it, with the same line. In process 0 it returns how the run went, in
// others nil. Ranks that have a process each and crash do so for good.
func JoinJob(ctx context.Context, run *scenarios.Run, o JobOptions) (*scenarios.Outcome, error) {
	schedule, err := run.Schedule()
	if err != nil {
		return nil, line.Refuse(err)
	}
	if err := o.check(run, schedule); err != nil {
		return nil, err
	}
	defer func() { o.folder.close() }()
	if o.Group.Index() == 0 {
		return o.lead(ctx, run, schedule)
	}
	ctx, cancel := outlasting(ctx, cmp.Or(o.Timeout, usualTimeout))
	defer cancel()
	return nil, reason(ctx, o.follow(ctx, run, schedule))
}

// check says what cannot be run on the processes of a job.
func (o *JobOptions) check(run *scenarios.Run, schedule faults.Schedule) error {
	processes := o.Group.Count()
	for _, f := range schedule {
		if o.Played || processes != run.Config().Ranks || f.OfLinks() {
			continue // ranks fail without their processes
		}
		switch {
		case f.Kind == faults.Rejoin || f.Kind == faults.Hang:
			return refuseUnwatched(f)
		case f.Kind != faults.Crash:
		case o.Doomed != "":
			return line.Refuse(fmt.Errorf("%s: %s; or more ranks than processes, which then fail without their process", f, o.Doomed))
		case f.Rank == 0:
			return line.Refuse(fmt.Errorf("%s: process 0 brings the others together and reports; want rank 1 to %d, or more ranks than processes", f, processes-1))
		}
	}
	return check(run, Options{Processes: processes, Storage: o.Storage})
}

// refuseUnwatched is about a fault of a process that nobody looks after.
func refuseUnwatched(f faults.Fault) error {
	if f.Kind == faults.Rejoin {
		return line.Refuse(fmt.Errorf("%s: nobody would start the process again; want a launcher", f))
	}
	return line.Refuse(fmt.Errorf("%s: nobody would end the stopped process; want a launcher, or several ranks in a process", f))
}

// invitation is what process 0 tells the others.
type invitation struct {
	Key     string
	Address string // of the coordinator
	Problem string // why there is none
}

// lead is what process 0 does.
func (o *JobOptions) lead(ctx context.Context, run *scenarios.Run, schedule faults.Schedule) (*scenarios.Outcome, error) {
	hosts, err := o.hosts()
	if err != nil {
		return nil, err
	}
	job := wire.NewJob()
	node, err := o.listen(run, job, schedule, cmp.Or(o.Listen, listenOn(hosts)))
	words := invitation{Key: job.Key()}
	if err != nil {
		words.Problem = err.Error()
	} else {
		defer node.Close()
		words.Address = node.Address()
	}
	text, wrong := json.Marshal(words)
	if _, lost := o.Group.Exchange(slices.Repeat([][]byte{text}, o.Group.Count())); err != nil || wrong != nil || lost != nil {
		return nil, cmp.Or(err, wrong, lost)
	}
	work := func(ctx context.Context) error { return o.work(ctx, node, run, words.Address) }
	return hosting{o.Group.Count(), o.Patience, o.Record, cmp.Or(o.Timeout, usualTimeout)}.run(ctx, node, run, work)
}

// follow is what all others do.
func (o *JobOptions) follow(ctx context.Context, run *scenarios.Run, schedule faults.Schedule) error {
	if _, err := o.hosts(); err != nil {
		return err
	}
	in, err := o.Group.Exchange(make([][]byte, o.Group.Count()))
	if err != nil {
		return err
	}
	var words invitation
	if err := json.Unmarshal(in[0], &words); err != nil {
		return fmt.Errorf("launch: what process 0 says: %w", err)
	}
	if words.Problem != "" {
		return line.Refuse(errors.New(words.Problem))
	}
	key, err := wire.ParseKey(words.Key)
	if err != nil {
		return err
	}
	node, err := o.listen(run, key, schedule, "")
	if err != nil {
		return err
	}
	defer node.Close()
	return o.work(ctx, node, run, words.Address)
}

// hosts are those of all processes.
func (o *JobOptions) hosts() (names []string, err error) {
	own, err := os.Hostname()
	if err != nil {
		own = "localhost"
	}
	in, err := o.Group.Exchange(slices.Repeat([][]byte{[]byte(own)}, o.Group.Count()))
	for _, name := range in {
		names = append(names, string(name))
	}
	return names, err
}

// listenOn is where process 0 listens for processes on these hosts, of which its own is the first.
func listenOn(hosts []string) string {
	if len(slices.Compact(slices.Clone(hosts))) == 1 {
		return ""
	}
	return net.JoinHostPort(hosts[0], "0")
}

// listen makes the node of this process. Messages of ranks do not come in there, but with the carrier.
func (o *JobOptions) listen(run *scenarios.Run, key wire.Job, schedule faults.Schedule, address string) (node *tcp.Node, err error) {
	if o.folder, err = openFolder(o.Storage, run.Protocol().Stores); err != nil {
		return nil, err
	}
	cfg := tcp.Config{
		Job:     jobOf(run, key, schedule, Options{Processes: o.Group.Count(), Pace: o.Pace, Eager: o.Eager}),
		Process: o.Group.Index(), Listen: address, Anywhere: address != "", Hosts: o.Group.Index() == 0, Carrier: o.Carrier, Storage: o.folder.path, Log: o.Log,
	}
	cfg.Signals = signals(cfg.Job) && !o.Played
	if node, err = tcp.Listen(cfg); err != nil {
		return nil, line.Refuse(err)
	}
	return node, nil
}

// work is what every process does, process 0 included.
func (o *JobOptions) work(ctx context.Context, node *tcp.Node, run *scenarios.Run, coordinator string) error {
	if err := node.JoinHost(ctx, coordinator); err != nil {
		return err
	}
	if o.Begun != nil {
		o.Begun()
	}
	return workOn(ctx, node, run)
}
