package scale

import (
	"math"
	"time"
)

// Costs are what things cost on one processor.
type Costs struct {
	Tree       time.Duration // to start a rank, and all that it does in the tree
	Correction time.Duration // all that a rank does after that
	Letter     time.Duration // to put a message into a batch and take it out again; one thread takes them out
	Memory     int64         // bytes a rank
}

// letterBytes is the length of a message in a batch, as 'mangrove run broadcast P=65536 --windows' on two processes tells.
const letterBytes = 11

// Network is what lies between processes.
type Network struct {
	Name      string
	Latency   time.Duration // of a short message
	Peer      time.Duration // how much longer an exchange takes for each process more
	Bandwidth float64       // bytes a second that a process can send
}

// Job is a broadcast on processes, as many on each host.
type Job struct {
	Levels  int // there are 2^Levels ranks
	Q       int // on 2^Q processes
	PerHost int // processes that share a host
	Workers int // of each process
	Cores   int // of each host
}

// Prediction is how long a job takes, and what for.
type Prediction struct {
	Work     time.Duration // of ranks
	Letters  time.Duration // messages from other processes
	Latency  time.Duration // exchanges, were they empty
	Transfer time.Duration // what is in them
	Memory   int64         // bytes of a host
}

// Total is how long it takes.
func (p Prediction) Total() time.Duration { return p.Work + p.Letters + p.Latency + p.Transfer }

// Predict applies the formula:
//
//	work     = ranks of a process x (Tree x unevenness + Correction) / processors that it has
//	letters  = ranks of a process x Letter
//	latency  = exchanges x 2 (Latency + Peer x (processes - 1))
//	transfer = log2(processes) x ranks of a process x 11 bytes / Bandwidth
//
// Unevenness is there because the tree does not reach all processes at the same time, see [Job.unevenness]. An exchange has two rounds, lengths and batches,
// and each process takes part in both with all others, whether it has something for them or not. Each process but the first gets a message from
// another one for each of its ranks; the first one sends most, to log2(processes) others.
func (j Job) Predict(c Costs, n Network) Prediction {
	processes := 1 << j.Q
	ranks := float64(int64(1)<<j.Levels) / float64(processes)
	everybody := float64(min(j.PerHost, processes)) / float64(j.Cores) // all processes of a host have something to do
	alone := 1 / float64(min(j.Workers, j.Cores))
	p := Prediction{
		Work:   times(c.Tree, ranks*j.unevenness()) + times(c.Correction, ranks*max(alone, everybody)),
		Memory: int64(ranks) * c.Memory * int64(j.PerHost),
	}
	if processes > 1 {
		p.Letters = times(c.Letter, ranks)
		p.Latency = times(n.Latency+times(n.Peer, float64(processes-1)), float64(2*j.exchanges()))
		p.Transfer = time.Duration(float64(j.Q) * ranks * letterBytes / n.Bandwidth * float64(time.Second))
	}
	return p
}

// unevenness is how long the processes work in the tree, as a share of what one processor would need for the ranks of one process. In each window, all
// wait for the one that has most to do, or for the host whose processes have.
func (j Job) unevenness() (sum float64) {
	processes := 1 << j.Q
	longest := make([]float64, j.Levels+1)
	host := make([]float64, j.Levels+1)
	for part := range processes {
		if part%j.PerHost == 0 {
			clear(host)
		}
		for w, share := range reached(j.Levels, j.Q, part) {
			host[w] += share
			longest[w] = max(longest[w], share/float64(min(j.Workers, j.Cores)), host[w]/float64(j.Cores))
		}
	}
	for _, l := range longest {
		sum += l
	}
	return sum
}

// Much mail goes in several exchanges: to each process about as many bytes in one as it gets when roomPerRank bytes a rank are divided
// among all, at least roomForEach, in whole sheets (package emu, exchangedBytes and sheetBytes).
const (
	roomPerRank = 4
	roomForEach = 256 << 10
	sheet       = 4 << 10
)

// exchanges is how many exchanges there are: one before each window and one after the last, and more where a process has much mail for another. A
// process gets all of its mail in the tree from one other.
func (j Job) exchanges() int {
	processes := 1 << j.Q
	ranks := float64(int64(1) << (j.Levels - j.Q))
	room := math.Ceil(max(roomForEach, roomPerRank*ranks/float64(processes))/sheet) * sheet
	most := make([]float64, j.Levels+1)
	for part := 1; part < processes; part++ {
		for w, share := range reached(j.Levels, j.Q, part) {
			most[w] = max(most[w], share)
		}
	}
	all := windows(j.Levels) + 1
	for _, share := range most {
		all += max(1, int(math.Ceil(share*ranks*letterBytes/room))) - 1
	}
	return all
}

// times multiplies a duration.
func times(d time.Duration, by float64) time.Duration { return time.Duration(float64(d) * by) }
