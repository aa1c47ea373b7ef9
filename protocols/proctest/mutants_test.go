package proctest_test

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// mutant is a machine that breaks the contract: by a flaw inside, or because something
// comes between the machine and its programs.
type mutant struct {
	name    string
	flaws   flaws
	distort distortion // optional
	caught  []string   // names of cases that find out; others may, too
}

const (
	crashAndAnother = "a crash and another fault happen in the order in which a rank gets to them"
	hangAndAnother  = "a hang and another fault happen in the order in which a rank gets to them"
	slowAndAnother  = "a slow-down and another fault happen in the order in which a rank gets to them"
	cutAndAnother   = "a cut and another fault happen in the order in which a rank gets to them"
	mendAndAnother  = "a mend and another fault happen in the order in which a rank gets to them"
	lateAndAnother  = "that a message is late and another fault happen in the order in which a rank gets to them"
	loseAndAnother  = "that a message is lost and another fault happen in the order in which a rank gets to them"
	twiceAndAnother = "that a message comes twice and another fault happen in the order in which a rank gets to them"

	onlyLate     = "a message that is late arrives so much later, and all others in time"
	onlyBehind   = "messages behind a late one on its link arrive no earlier than it, and others overtake it"
	onlyLost     = "a message that is lost never arrives, and all others do"
	onlyTwice    = "a message that comes twice arrives again so much later, and holds nobody back"
	inTime       = "what happens on links happens to what leaves in its time"
	addingUp     = "what happens to one message adds up, and one that is lost holds nobody back"
	unrestful    = "random traffic with messages that are late, lost or there twice is received as a model says"
	onlyOneWay   = "a cut one way lets through what goes the other way"
	onlyMended   = "from the instant of a mend on its links are as if they had never been cut"
	lastOne      = "of cuts and mends of a link the last one counts"
	beforeAMend  = "what has left before a mend is lost"
	firstAndLast = "what happens on links in some time begins with its first instant and ends before its last"

	listStays       = "what a rank has been told of failures stays, and in the end it knows all, in whatever order"
	listSuspects    = "a rank is suspected if and only if it is on the list"
	listStarts      = "failures before the run are known to all from the start, in order of rank"
	listNext        = "WatchNext tells of the failures of a rank's own list when it knows of them, each call once"
	storageIf       = "ranks have storage if the machine has"
	storageReads    = "what a rank reads is what it has changed last, and names are sorted"
	storageEmpty    = "storage is empty when a run begins"
	storageReturned = "a rank that crashes after its program has returned loses what it has not synced"
	storageFault    = "a fault of a rank with storage happens at its point, and what was synced and what it keeps is there afterwards"
	storageCounts   = "changes and syncs count over all lives, whatever happens to them"

	watchTells = "Watch tells of a failure before and after it, each call once"
)

// run is the Run of the broken machine.
func (m mutant) run(params clock.LogP, seed uint64, schedule faults.Schedule, program protocols.Program) (*report.Report, error) {
	if m.distort != nil {
		main, wrap := program.Main, m.distort(seed)
		program.Main = func(p protocols.Proc) {
			p = wrap(p)
			main(p)
			if d, ok := p.(*distorted); ok && d.finished != nil {
				d.finished()
			}
		}
	}
	return m.flaws.run(params, seed, schedule, program)
}

func flawed(m messageFlaws) flaws { return flaws{messageFlaws: m} }

func detecting(d detectorFlaws) flaws { return flaws{detectorFlaws: d} }

func storing(s storageFlaws) flaws { return flaws{storageFlaws: s} }

// mutants lists the broken machines. Together they break every case of the suite.
func mutants() []mutant {
	return []mutant{
		// Inside the machine: times.
		{name: "messages are under way a tick longer", flaws: flaws{longFlight: true}, caught: []string{
			"without initiators every rank acts at once",
			"a rank that is no initiator waits from 0 on for its first message",
			"a token goes round the ring in P(2o+L)",
			"a message is in the mailbox 2o+L after its send starts",
			"sends of one rank are serialized by its port",
			"a wait may be as long as a program likes",
			"RecvUntil returns a message whose receive ends at the deadline",
		}},
		{name: "messages are under way a tick shorter", flaws: flaws{shortFlight: true}, caught: []string{
			"a message is in the mailbox 2o+L after its send starts",
			"RecvUntil leaves a message whose receive ends after the deadline",
			"a rank that decides at t sees what was received at t, and nothing later",
		}},
		{name: "a send takes the program no time", flaws: flaws{instantSends: true}, caught: []string{
			"a send returns after the overhead", "sends of one rank are serialized by its port"}},
		{name: "the send port knows no gap", flaws: flaws{noSendGap: true}, caught: []string{
			"a gap larger than the overhead spaces sends"}},
		{name: "every send but the first waits for the gap", flaws: flaws{gapPaidTwice: true}, caught: []string{
			"the gap passes while the program does something else"}},
		{name: "bytes cost nothing", flaws: flaws{freeBytes: true}, caught: []string{
			"a long message takes G for each byte after the first", "a short message overtakes a long one of another rank"}},
		{name: "no byte costs less than one", flaws: flaws{emptySaves: true}, caught: []string{
			"a long message takes G for each byte after the first"}},
		{name: "bytes cost the receiver, too", flaws: flaws{recvPerByte: true}, caught: []string{
			"a long message takes the receive port no longer than a short one"}},
		{name: "the receive port knows no gap", flaws: flaws{noRecvGap: true}, caught: []string{
			"a gap larger than the overhead spaces receives"}},
		{name: "the receive port serves all at once", flaws: flaws{noRecvPort: true}, caught: []string{
			"receives of one rank are serialized by its port",
			"many to one: messages are received round by round, each in order of rank",
			"random traffic is received as a model of the ports says",
		}},
		{name: "the receive port takes a tick to get free", flaws: flaws{portSticks: true}, caught: []string{
			"a message that arrives when the port gets free is received at once"}},
		{name: "one port sends and receives", flaws: flaws{onePort: true}, caught: []string{
			"send and receive port work at the same time"}},

		// Inside the machine: order and ends.
		{name: "ties go to the higher rank", flaws: flaws{tiesBackwards: true}, caught: []string{
			"messages that arrive together are received in order of sender rank",
			"many to one: messages are received round by round, each in order of rank",
			"random traffic is received as a model of the ports says",
		}},
		{name: "low ranks are received first", flaws: flaws{lowRanksFirst: true}, caught: []string{
			"messages that arrive earlier are received earlier, whatever their senders"}},
		{name: "messages are received in the order of their sends", flaws: flaws{noOvertaking: true}, caught: []string{
			"a short message overtakes a long one of another rank"}},
		{name: "a rank does not see what is received at this instant", flaws: flaws{blindAtInstant: true}, caught: []string{
			"a rank that decides at t sees what was received at t, and nothing later",
			"RecvUntil returns a message whose receive ends at the deadline",
		}},
		{name: "a full mailbox blocks senders", flaws: flaws{flowControl: true}, caught: []string{
			"messages nobody reads do no harm"}},
		{name: "the run ends with the first rank", flaws: flaws{endsWithFirst: true}, caught: []string{
			"ranks may finish at different times"}},

		// Between machine and program: who and when.
		{name: "ranks are off by one", caught: []string{"without initiators every rank acts at once", "a rank may send to itself"},
			distort: distort(func(d *distorted, p protocols.Proc) {
				d.rank = func() int { return (p.Rank() + 1) % p.Size() }
			})},
		{name: "ranks count from 1", caught: []string{"every rank knows its number and how many there are"},
			distort: distort(func(d *distorted, p protocols.Proc) { d.rank = func() int { return p.Rank() + 1 } })},
		{name: "there is one rank too many", caught: []string{"every rank knows its number and how many there are"},
			distort: distort(func(d *distorted, p protocols.Proc) { d.size = func() int { return p.Size() + 1 } })},
		{name: "the clock starts at 1", caught: []string{
			"the clock of every rank starts at 0", "a rank that is no initiator waits from 0 on for its first message"},
			distort: distort(func(d *distorted, p protocols.Proc) { d.now = func() clock.Time { return p.Now() + 1 } })},
		{name: "the clock trembles", caught: []string{"the clock never goes back"},
			distort: distort(func(d *distorted, p protocols.Proc) {
				calls := clock.Time(0)
				d.now = func() clock.Time { calls++; return p.Now() - calls%2 }
			})},
		{name: "a step takes a tick", caught: []string{"Step takes no time"},
			distort: distort(func(d *distorted, p protocols.Proc) { d.step = func(string) { p.WaitUntil(p.Now() + 1) } })},

		// Sends and receives.
		{name: "a send returns a tick late", caught: []string{"a send returns after the overhead"},
			distort: distort(func(d *distorted, p protocols.Proc) {
				d.send = func(to int, m mailbox.Message) { p.Send(to, m); p.WaitUntil(p.Now() + 1) }
			})},
		{name: "a receive takes the program time", caught: []string{"receiving takes the program no time"},
			distort: distort(func(d *distorted, p protocols.Proc) {
				d.recv = func(want mailbox.Want) (int, mailbox.Message) {
					from, m := p.Recv(want)
					p.WaitUntil(p.Now() + 1)
					return from, m
				}
			})},
		{name: "messages to oneself are lost", caught: []string{"a rank may send to itself"},
			distort: distort(func(d *distorted, p protocols.Proc) {
				d.send = func(to int, m mailbox.Message) {
					if to != p.Rank() {
						p.Send(to, m)
					}
				}
			})},
		{name: "the newest message is received first", distort: distort(newestFirst), caught: []string{
			"messages of one sender stay in order", "many to one: every message is received exactly once, those of a sender in order"}},
		{name: "messages are lost", distort: distort(lossy), caught: []string{
			"all to all: every message is received exactly once", "messages of one sender stay in order"}},
		{name: "messages come twice", distort: distort(twice), caught: []string{
			"all to all: every message is received exactly once",
			"many to one: every message is received exactly once, those of a sender in order",
		}},
		{name: "the first look after a wait finds nothing", distort: distort(shortSighted), caught: []string{
			"messages come in while the program waits"}},
		{name: "who finds nothing more finds the last message again", distort: distort(farSighted), caught: []string{
			"messages come in while the program waits"}},

		// Wants.
		{name: "every message is wanted", distort: rewant(func(mailbox.Want) mailbox.Want { return mailbox.Any }), caught: []string{
			"a receive by sender leaves other messages in the mailbox in order",
			"a receive by kind leaves other messages in the mailbox in order",
			"a receive does not end before a wanted message comes",
			"RecvUntil and Poll do not take what they do not want",
			"None accepts no message",
		}},
		{name: "only the sender matters", caught: []string{"a receive by sender and kind wants both"},
			distort: rewant(func(want mailbox.Want) mailbox.Want {
				if rank, named := want.Sender(); named {
					return mailbox.From(rank)
				}
				return want
			})},
		{name: "rank 0 stands for any", distort: rewant(instead(mailbox.From(0), mailbox.Any)), caught: []string{
			"a receive by sender leaves other messages in the mailbox in order"}},
		{name: "kind 0 stands for any", distort: rewant(instead(mailbox.OfKind(0), mailbox.Any)), caught: []string{
			"a receive by kind leaves other messages in the mailbox in order"}},
		{name: "none stands for any", distort: rewant(instead(mailbox.None, mailbox.Any)), caught: []string{
			"None accepts no message"}},
		{name: "epochs do not matter", caught: []string{"a receive up to an epoch leaves later ones in the mailbox",
			"a receive of an epoch leaves earlier and later ones in the mailbox"},
			distort: rewant(func(want mailbox.Want) mailbox.Want { return want.UpTo(math.MaxUint32) })},
		{name: "an epoch stands for earlier ones, too", caught: []string{"a receive of an epoch leaves earlier and later ones in the mailbox"},
			distort: rewant(instead(mailbox.Any.OfEpoch(2), mailbox.Any.UpTo(2)))},
		{name: "unwanted messages are thrown away", distort: distort(impatient), caught: []string{
			"a receive by kind leaves other messages in the mailbox in order",
			"a receive by sender leaves other messages in the mailbox in order",
		}},

		// Deadlines and waits.
		{name: "RecvUntil gives up a tick late", caught: []string{
			"RecvUntil gives up at the deadline", "RecvUntil leaves a message whose receive ends after the deadline"},
			distort: until(func(p protocols.Proc, want mailbox.Want, t clock.Time) (int, mailbox.Message, bool) {
				return p.RecvUntil(want, t+1)
			})},
		{name: "RecvUntil gives up a tick early", caught: []string{
			"RecvUntil gives up at the deadline", "RecvUntil returns a message whose receive ends at the deadline"},
			distort: until(func(p protocols.Proc, want mailbox.Want, t clock.Time) (int, mailbox.Message, bool) {
				return p.RecvUntil(want, t-1)
			})},
		{name: "RecvUntil waits for the deadline in any case", caught: []string{
			"RecvUntil returns when the message is there, however late the deadline"},
			distort: until(func(p protocols.Proc, want mailbox.Want, t clock.Time) (int, mailbox.Message, bool) {
				p.WaitUntil(t)
				return p.Poll(want)
			})},
		{name: "RecvUntil does not look when it is too late", caught: []string{
			"RecvUntil with a deadline in the past takes what is there"},
			distort: until(func(p protocols.Proc, want mailbox.Want, t clock.Time) (int, mailbox.Message, bool) {
				if t < p.Now() {
					return 0, mailbox.Message{}, false
				}
				return p.RecvUntil(want, t)
			})},
		{name: "RecvUntil always waits", caught: []string{"RecvUntil with a deadline in the past does not wait"},
			distort: until(func(p protocols.Proc, want mailbox.Want, t clock.Time) (int, mailbox.Message, bool) {
				return p.RecvUntil(want, max(t, p.Now()+1))
			})},
		{name: "Poll waits", caught: []string{"Poll never waits"},
			distort: distort(func(d *distorted, p protocols.Proc) {
				d.poll = func(want mailbox.Want) (int, mailbox.Message, bool) { return p.RecvUntil(want, p.Now()+1) }
			})},
		{name: "WaitUntil returns a tick early", caught: []string{"WaitUntil returns at the instant"},
			distort: waiting(waitTooShort)},
		{name: "WaitUntil returns a tick late", caught: []string{"WaitUntil returns at the instant", "ranks may finish at different times"},
			distort: waiting(func(p protocols.Proc, t clock.Time) { p.WaitUntil(t + 1) })},
		{name: "WaitUntil always waits", caught: []string{"WaitUntil an instant in the past returns at once"},
			distort: waiting(func(p protocols.Proc, t clock.Time) { p.WaitUntil(max(t, p.Now()+1)) })},
		{name: "WaitUntil counts to 2^30", caught: []string{"a wait may be as long as a program likes"},
			distort: waiting(func(p protocols.Proc, t clock.Time) { p.WaitUntil(t % (1 << 30)) })},

		// Messages.
		{name: "A has 32 bits", caught: []string{"a message keeps all bits of its header"},
			distort: remail(func(m mailbox.Message) mailbox.Message { m.A = int64(int32(m.A)); return m })},
		{name: "A is a floating-point number", caught: []string{"a message keeps all bits of its header"},
			distort: remail(func(m mailbox.Message) mailbox.Message { m.A = int64(float64(m.A)); return m })},
		{name: "the epoch has 31 bits", caught: []string{"a message keeps all bits of its header"},
			distort: remail(func(m mailbox.Message) mailbox.Message { m.Epoch &= 1<<31 - 1; return m })},
		{name: "the kind has 7 bits", caught: []string{"a message keeps all bits of its header"},
			distort: remail(func(m mailbox.Message) mailbox.Message { m.Kind &= 1<<7 - 1; return m })},
		{name: "a payload ends with a zero byte", caught: []string{"a payload arrives unchanged"},
			distort: remail(func(m mailbox.Message) mailbox.Message { m.Payload, _, _ = strings.Cut(m.Payload, "\x00"); return m })},
		{name: "a payload is text", caught: []string{"a payload arrives unchanged"},
			distort: remail(func(m mailbox.Message) mailbox.Message { m.Payload = strings.ToValidUTF8(m.Payload, "?"); return m })},
		{name: "a payload has at most 64 KiB", caught: []string{"a payload arrives unchanged"},
			distort: remail(func(m mailbox.Message) mailbox.Message {
				m.Payload = m.Payload[:min(len(m.Payload), 1<<16)]
				return m
			})},
		{name: "all payloads lie in one buffer", distort: distort(oneBuffer), caught: []string{
			"a payload does not change while later messages come in"}},
		{name: "payloads leak into later messages", distort: distort(leaky), caught: []string{
			"a message without payload arrives without one, whatever came before"}},

		// Random streams.
		{name: "random streams are seeded by chance", caught: []string{"the random stream of a rank is PCG(seed, rank)"},
			distort: drawing(func(protocols.Proc, uint64) *rand.Rand { return rand.New(rand.NewPCG(rand.Uint64(), 0)) })},
		{name: "random streams ignore the seed", caught: []string{"the random stream of a rank is PCG(seed, rank)"},
			distort: drawing(func(p protocols.Proc, _ uint64) *rand.Rand { return rand.New(rand.NewPCG(1, uint64(p.Rank()))) })},
		{name: "random streams ignore the rank", caught: []string{"the random stream of a rank is PCG(seed, rank)"},
			distort: drawing(func(_ protocols.Proc, seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) })},
		{name: "random streams add seed and rank", caught: []string{"the random stream of a rank is PCG(seed, rank)"},
			distort: drawing(func(p protocols.Proc, seed uint64) *rand.Rand {
				return rand.New(rand.NewPCG(seed+uint64(p.Rank()), 0))
			})},
		{name: "random streams depend on the number of ranks", caught: []string{"the random stream of a rank is PCG(seed, rank)"},
			distort: drawing(func(p protocols.Proc, seed uint64) *rand.Rand {
				return rand.New(rand.NewPCG(seed, uint64(p.Size()<<32+p.Rank())))
			})},
		{name: "all ranks draw from one stream", distort: oneStream, caught: []string{
			"what others draw does not change a random stream"}},
		{name: "Rand starts again each time", caught: []string{"Rand goes on where it stopped"},
			distort: seeded(func(d *distorted, p protocols.Proc, seed uint64) {
				d.rand = func() *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(p.Rank()))) }
			})},
		{name: "sending draws a random number", caught: []string{
			"what a rank does does not change its random stream", "a rank that is started by a message has the same random stream"},
			distort: distort(func(d *distorted, p protocols.Proc) {
				d.send = func(to int, m mailbox.Message) { p.Rand().Uint64(); p.Send(to, m) }
			})},

		// Ends.
		{name: "sending to a rank that has finished panics", distort: touchy, caught: []string{
			"messages to a rank that has finished are lost without notice"}},
		{name: "unread mail is left to the next run", distort: forgetful(), caught: []string{
			"nothing is left over from an earlier run"}},

		// Faults.
		{name: "a fault in a send happens before it", flaws: flaws{midIsBefore: true}, caught: []string{crashAndAnother, hangAndAnother}},
		{name: "a send goes on in which its sender was to fail", flaws: flaws{lateToMiddle: true}, caught: []string{
			"each fault happens at its point, and nowhere else", crashAndAnother}},
		{name: "a send goes on in which the clock stops its sender", flaws: flaws{sendsGoOn: true}, caught: []string{
			"what fails at an instant of a send fails before, in or after it"}},
		{name: "a hang is taken for a crash", flaws: flaws{hangIsCrash: true}, caught: []string{
			"each fault happens at its point, and nowhere else", hangAndAnother, slowAndAnother, cutAndAnother}},
		{name: "a rank that hangs does not crash", flaws: flaws{hangsForEver: true}, caught: []string{crashAndAnother, hangAndAnother}},
		{name: "a rank that comes back counts from 1, and fails again", flaws: flaws{forgetfulRejoin: true}, caught: []string{
			"each fault happens at its point, and nowhere else", crashAndAnother}},
		{name: "what the program has made slow the clock does not change", flaws: flaws{stubbornSlow: true}, caught: []string{
			slowAndAnother, "a slow-down replaces those before it, whether the clock or the program brings it about",
			"slow:1x8@send1,slow:1x2@t30: a send at t=60 takes 2o"}},
		{name: "a rank that comes back is no longer slow", flaws: flaws{stubbornSlow: true, healingRejoin: true}, caught: []string{
			slowAndAnother, "a slow-down replaces those before it, whether the clock or the program brings it about"}},
		{name: "a link is cut one way", flaws: flaws{oneWayCuts: true}, caught: []string{
			"nothing gets over a cut from its instant on, and all else does"}},
		{name: "what is under way when a link is cut is lost", flaws: flaws{cutFlights: true}, caught: []string{
			"what has left before a cut arrives", beforeAMend, firstAndLast}},

		// Messages on their way.
		{name: "no message is late", flaws: flawed(messageFlaws{lateIgnored: true}), caught: []string{
			onlyLate, onlyBehind, inTime, addingUp, unrestful, lateAndAnother}},
		{name: "a message is late because its sender is held up", flaws: flawed(messageFlaws{lateStopsSender: true}), caught: []string{onlyLate, unrestful, lateAndAnother}},
		{name: "a message is late by a tick more", flaws: flawed(messageFlaws{lateByMore: true}), caught: []string{unrestful, lateAndAnother}},
		{name: "a late message is overtaken on its link", flaws: flawed(messageFlaws{overtaken: true}), caught: []string{onlyBehind, unrestful, crashAndAnother}},
		{name: "those behind a late message arrive before it, at the same instant", flaws: flawed(messageFlaws{heldBackwards: true}), caught: []string{onlyBehind, unrestful}},
		{name: "a late message holds all others of its sender back", flaws: flawed(messageFlaws{holdsAllLinks: true}), caught: []string{onlyLate, onlyBehind, unrestful}},
		{name: "a rank that comes back overtakes what it has sent before", flaws: flawed(messageFlaws{newLifeOvertakes: true}), caught: []string{
			crashAndAnother, hangAndAnother}},
		{name: "a late message is gone if its receiver has come back meanwhile", flaws: flawed(messageFlaws{lateIsGone: true}), caught: []string{crashAndAnother, hangAndAnother}},
		{name: "no message is lost", flaws: flawed(messageFlaws{lostArrives: true}), caught: []string{onlyLost, inTime, addingUp, unrestful, loseAndAnother}},
		{name: "a message that is lost costs its sender nothing", flaws: flawed(messageFlaws{lossesAreFree: true}), caught: []string{unrestful, loseAndAnother}},
		{name: "a message that is late and lost holds others back", flaws: flawed(messageFlaws{lostHoldsBack: true}), caught: []string{addingUp, unrestful}},
		{name: "no message comes twice", flaws: flawed(messageFlaws{onlyOnce: true}), caught: []string{onlyTwice, inTime, addingUp, unrestful, twiceAndAnother}},
		{name: "a message comes twice at once", flaws: flawed(messageFlaws{twiceAtOnce: true}), caught: []string{onlyTwice, inTime, unrestful, twiceAndAnother}},
		{name: "a message that is late comes again as if it were not", flaws: flawed(messageFlaws{againInTime: true}), caught: []string{addingUp, unrestful, lateAndAnother}},
		{name: "a message that will come again holds others back", flaws: flawed(messageFlaws{againHoldsBack: true}), caught: []string{onlyTwice, unrestful}},
		{name: "of all that delays a message the longest counts", flaws: flawed(messageFlaws{longestCounts: true}), caught: []string{addingUp, unrestful}},
		{name: "messages are counted from 0", flaws: flawed(messageFlaws{countsFromZero: true}), caught: []string{
			"each fault happens at its point, and nowhere else", onlyLate, onlyLost, onlyTwice, lateAndAnother, loseAndAnother, twiceAndAnother}},
		{name: "a send in which a rank fails counts", flaws: flawed(messageFlaws{failedSendCounts: true}), caught: []string{
			crashAndAnother, hangAndAnother}},
		{name: "all cuts are both ways", flaws: flawed(messageFlaws{cutsBothWays: true}), caught: []string{onlyOneWay, cutAndAnother}},
		{name: "a cut one way is one the other way", flaws: flawed(messageFlaws{cutsBackwards: true}), caught: []string{onlyOneWay, unrestful}},
		{name: "a cut is for ever", flaws: flawed(messageFlaws{neverMended: true}), caught: []string{onlyMended, lastOne, beforeAMend, unrestful, mendAndAnother}},
		{name: "all mends are both ways", flaws: flawed(messageFlaws{mendsBothWays: true}), caught: []string{onlyMended, mendAndAnother, cutAndAnother}},
		{name: "a mend counts before its instant", flaws: flawed(messageFlaws{mendsEarly: true}), caught: []string{beforeAMend}},
		{name: "a mend counts after its instant", flaws: flawed(messageFlaws{mendsLate: true}), caught: []string{beforeAMend}},
		{name: "cuts come before mends of the same instant", flaws: flawed(messageFlaws{mendsWin: true}), caught: []string{lastOne}},
		{name: "what happens in some time happens at its last instant, too", flaws: flawed(messageFlaws{timeEndsLate: true}), caught: []string{firstAndLast}},
		{name: "what happens in some time goes on", flaws: flawed(messageFlaws{timeNeverEnds: true}), caught: []string{firstAndLast, inTime, unrestful, lateAndAnother, loseAndAnother}},

		// Lingering.
		{name: "who lingers does not care what it wants", caught: []string{"a rank that lingers receives like any other"},
			distort: lingering(func(p protocols.Proc, want mailbox.Want) (int, mailbox.Message) {
				return p.Linger(mailbox.Any)
			})},
		{name: "who lingers looks again every 1000 ticks", caught: []string{"a rank that lingers receives like any other"},
			distort: lingering(func(p protocols.Proc, want mailbox.Want) (int, mailbox.Message) {
				p.WaitUntil(p.Now() + 1000)
				return p.Linger(want)
			})},
		{name: "who lingers for ever is deadlocked", distort: lingering(protocols.Proc.Recv), caught: []string{
			"a run is over when all that is left to do is to linger"}},
		{name: "Linger returns in the end", caught: []string{"a run is over when all that is left to do is to linger"},
			distort: lingering(func(p protocols.Proc, want mailbox.Want) (int, mailbox.Message) {
				from, m, _ := p.RecvUntil(want, p.Now()+1000)
				return from, m
			})},

		// Failure detectors.
		{name: "there is no detector", flaws: detecting(detectorFlaws{noDetector: true}), caught: []string{listStays, listSuspects, listStarts, listNext, watchTells}},
		{name: "what becomes known goes between what is known", flaws: detecting(detectorFlaws{sortedLists: true}), caught: []string{listStays, listNext}},
		{name: "failures are forgotten", flaws: detecting(detectorFlaws{shortLists: true}), caught: []string{listStays, listNext}},
		{name: "failures of others are counted", flaws: detecting(detectorFlaws{miscounts: true}), caught: []string{listStays, listSuspects}},
		{name: "a failure never becomes known", flaws: detecting(detectorFlaws{blindList: true}), caught: []string{listStays, listNext}},
		{name: "a failure is listed twice", flaws: detecting(detectorFlaws{listsTwice: true}), caught: []string{listStays}},
		{name: "failures before the run become known", flaws: detecting(detectorFlaws{lateStart: true}), caught: []string{listStarts}},
		{name: "suspicion comes later", flaws: detecting(detectorFlaws{slowSuspicion: true}), caught: []string{listSuspects}},
		{name: "who will fail is suspected", flaws: detecting(detectorFlaws{rashSuspicion: true}), caught: []string{listSuspects}},
		{name: "WatchNext goes by the list of another rank", flaws: detecting(detectorFlaws{listOfAnother: true}), caught: []string{listNext}},
		{name: "WatchNext tells when there is nothing more", flaws: detecting(detectorFlaws{nextAgain: true}), caught: []string{listNext}},
		{name: "notices come before a failure is known", flaws: detecting(detectorFlaws{earlyNotices: true}), caught: []string{listNext}},
		{name: "a call of Watch leads to two notices", flaws: detecting(detectorFlaws{watchesAgain: true}), caught: []string{watchTells}},
		{name: "Watch does not tell of the past", flaws: detecting(detectorFlaws{unwatchedPast: true}), caught: []string{watchTells}},
		{name: "Watch tells of ranks that live", flaws: detecting(detectorFlaws{watchesEverybody: true}), caught: []string{watchTells}},

		// Stable storage.
		{name: "there is no storage", flaws: storing(storageFlaws{noStorage: true}), caught: []string{storageIf}},
		{name: "all ranks have the same storage", flaws: storing(storageFlaws{oneForAll: true}), caught: []string{storageReads, storageFault}},
		{name: "storage of another run is still there", flaws: storing(storageFlaws{keptForNextRun: true}), caught: []string{storageEmpty}},
		{name: "names are in another order", flaws: storing(storageFlaws{unsortedNames: true}), caught: []string{storageReads, storageFault}},
		{name: "records stay when they are deleted", flaws: storing(storageFlaws{undyingRecords: true}), caught: []string{storageReads, storageFault}},
		{name: "what was synced is lost", flaws: storing(storageFlaws{losesSynced: true}), caught: []string{storageFault, storageCounts}},
		{name: "what was not synced is kept", flaws: storing(storageFlaws{keepsUnsynced: true}), caught: []string{storageFault, storageCounts}},
		{name: "nothing is kept that was not synced", flaws: storing(storageFlaws{keepsNothing: true}), caught: []string{storageFault, storageCounts}},
		{name: "changes that are kept are numbered from 0", flaws: storing(storageFlaws{keptFromZero: true}), caught: []string{storageFault, storageCounts}},
		{name: "changes that are kept are numbered from the last one", flaws: storing(storageFlaws{keptBackwards: true}), caught: []string{storageFault, storageCounts}},
		{name: "a change that is kept takes those before it along", flaws: storing(storageFlaws{keepsInOneTable: true}), caught: []string{storageFault, storageCounts}},
		{name: "a sync is done when it begins", flaws: storing(storageFlaws{syncedAtOnce: true}), caught: []string{storageFault, storageCounts}},
		{name: "a change in which a rank fails was never made", flaws: storing(storageFlaws{losesUnderway: true}), caught: []string{storageFault, storageCounts}},
		{name: "an operation in which a rank fails counts", flaws: storing(storageFlaws{failedCounts: true}), caught: []string{storageCounts}},
		{name: "changes and syncs are counted from 1 in each life", flaws: storing(storageFlaws{countsEachLife: true}), caught: []string{storageCounts}},
		{name: "a sync returns to a rank that fails after it", flaws: storing(storageFlaws{returnsFirst: true}), caught: []string{storageFault, storageCounts}},
		{name: "to delete a record is no change", flaws: storing(storageFlaws{deletesAreFree: true}), caught: []string{storageFault, storageCounts}},
		{name: "a rank that crashes after its program has returned keeps all", flaws: storing(storageFlaws{returnedKeepAll: true}), caught: []string{storageReturned}},
		{name: "to delete what is not there is no change", flaws: storing(storageFlaws{nothingIsFree: true}), caught: []string{storageFault, storageCounts}},
		{name: "a rank that hangs keeps all", flaws: storing(storageFlaws{hangsKeepAll: true}), caught: []string{storageFault, storageCounts}},

		{name: "a run is over when all that is left linger", flaws: flaws{lingersUntilIdle: true}, caught: []string{
			"a run is over when all that is left to do is to linger"}},
	}
}
