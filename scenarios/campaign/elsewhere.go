package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/handout"
)

// Jobs of campaigns can be run by other processes. They are told of which campaign it is, so they serve any number of them, one after
// the other or at the same time.

// jobElsewhere is a job for another process.
type jobElsewhere struct {
	Campaign *Campaign `json:"campaign"`
	Job      int       `json:"job"`
}

// elsewhere has a job run by another process.
func (c *Campaign) elsewhere(ctx context.Context, office *handout.Office, job int) (record Record, err error) {
	task, err := json.Marshal(jobElsewhere{c, job})
	if err != nil {
		return record, err
	}
	text, err := office.Do(ctx, task)
	if err != nil {
		return record, err
	}
	if err := json.Unmarshal(text, &record); err != nil {
		return record, fmt.Errorf("campaign: the record of job %d, from another process: %w", job, err)
	}
	return record, nil
}

// Serve runs jobs of these protocols for the first process of a group, so many at a time, until that has no more; 0: one for each processor.
func Serve(ctx context.Context, protocols scenarios.Registry, group parts.Mail, workers int) error {
	workers = Options{Workers: workers}.workers()
	free := make(chan *scenarios.Executor, workers)
	for range workers {
		free <- newExecutor()
	}
	defer func() {
		for range workers {
			closeExecutor(<-free)
		}
	}()
	var known campaigns
	return handout.Serve(ctx, group, workers, func(ctx context.Context, task []byte) ([]byte, error) {
		executor := <-free
		defer func() { free <- executor }()
		var job jobElsewhere
		if err := json.Unmarshal(task, &job); err != nil {
			return nil, fmt.Errorf("campaign: a job: %w", err)
		}
		job.Campaign.protocols = protocols
		if err := known.check(job.Campaign); err != nil {
			return nil, err
		}
		record, err := job.Campaign.runJob(ctx, executor, job.Job)
		if err != nil {
			return nil, err
		}
		return json.Marshal(record)
	})
}

// campaigns are those whose machines are the same here as where they come from.
type campaigns struct {
	mu   sync.Mutex
	same map[string]bool
}

// check refuses a campaign whose machine files are others here.
func (k *campaigns) check(c *Campaign) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	key := c.digest()
	if k.same[key] {
		return nil
	}
	here, err := c.readMachines()
	if err != nil {
		return fmt.Errorf("campaign: %w", err)
	}
	for name, text := range c.Machines {
		if here[name] != text {
			return fmt.Errorf("campaign: the machine file %s is another one in another process of the job; want the same for all", name)
		}
	}
	if k.same == nil {
		k.same = make(map[string]bool)
	}
	k.same[key] = true
	return nil
}
