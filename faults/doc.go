// Package faults says what fails in a run, where and when. A [Schedule] is a list of
// faults with a text form; the same text drives the emulator and real networks, so one
// line is enough to see a failure again.
//
// # What can happen to a rank
//
// A crash is fail-stop. From its instant on the rank neither sends nor processes
// anything. What it had sent before still arrives; what reaches it later disappears on
// arrival, and the sender, who has paid for the send, learns nothing.
//
// A hang freezes the program and leaves the rest of the rank up: its ports go on
// receiving, nobody reads the mailbox. Peers that only watch for closed connections see
// nothing wrong; only a timeout gives a hung rank away. What is sent to it is gone, as if it
// had crashed.
//
// A slow-down makes both ports of a rank take a whole number of times as long, for every
// message whose sending or receiving starts from then on. The rank stays correct.
//
// A rejoin brings back a rank that has crashed or hung before: its program starts again from
// the beginning, with an empty mailbox, and knows nothing of its former life but its number
// and how often it has been started. Messages that arrive from that instant on reach it. What
// has arrived before is gone. A rank that fails at the very instant, later or not at all has
// nothing to come back from; the rejoin does not happen.
//
// What a rank has in its storage outlives a crash and a hang, if a sync has made it safe. Of the changes that are not,
// all are lost, unless the fault says which of them are kept: all, some, in whatever order they were made.
//
// # What can happen to the links
//
// A cut parts two sets of ranks. From its instant on whatever a rank of one side sends to a
// rank of the other disappears, both ways or one way only; the sender pays for the send and learns nothing.
// What has left its sender before still arrives. Ranks of the same side, and those of neither,
// talk on as before.
//
// A mend undoes what cuts before it have done to the links it names: what leaves its sender from then on
// arrives. What was lost is not sent again. Of a cut and a mend of one link at the same instant,
// that counts which the schedule lists later.
//
// # What can happen to a message
//
// A message that is late takes some ticks longer on its way; one that is lost never arrives; one that comes
// twice arrives again some ticks after the first time. Its sender pays for one send and learns nothing. What
// happens to one message adds up, and one that is lost is lost. Whether messages of a link may overtake one that is late
// is up to the machine: with TCP and MPI they do not.
//
// Messages are named by their senders and the number of the send, or as all that leave their senders on some links in
// some time.
//
// # When it happens
//
// A [Point] is an instant in the life of one rank. It is either a time in ticks, or a
// place in the rank's program, counted from 1:
//
//	time          from that instant on; time 0 comes before anything has run
//	before a send the send is asked for and does not begin
//	in a send     the send began and does not end: this message is lost, nothing else is
//	after a send  the message is irrevocably sent, the program does not go on
//	at a receive  the program is handed a message and does not process it
//	at a step     the program passes the step of that name and does not go on
//	before, in and after a write   the same for changes of storage; one in whose middle the rank fails is not safe
//	before, in and after a sync    the same; a sync in whose middle the rank fails has made nothing safe
//
// A message is sent if its sender lives to the end of the send overhead o. So a crash or
// hang at a time strictly between the start t of a send and t+o has the same effect as one
// in that send, at t the effect of one before it, and at t+o that of one after it.
//
// A point that the program never reaches is no error; the fault does not happen. A rank
// may have several faults, and of its crashes and hangs the earliest counts. After a rejoin
// those that come later count again. Sends, receives and passages of a step are counted
// through all lives of a rank.
//
// Rejoins, cuts and mends come from outside, and happen at times only; rejoins and mends at t1 or later, for
// before that nothing can have failed.
//
// # Text
//
// A schedule is a list of items with commas between them, or "none":
//
//	schedule = "none" | item { "," item }
//	item     = ("crash" | "hang") ":" ranks [ "@" point ] [ ":kept" changes ]
//	         | "slow" ":" ranks "x" factor  [ "@" point ]
//	         | "rejoin" ":" ranks "@" "t" ticks
//	         | "cut" ":" links [ "@" "t" ticks ]
//	         | "mend" ":" links "@" "t" ticks
//	         | "lose" ":" messages
//	         | ("late" | "twice") ":" messages "+" ticks
//	ranks    = rank                  this rank
//	         | "~" number            so many ranks, drawn uniformly
//	         | decimal "%"           every rank with this probability, up to 9 decimals
//	links    = set way set           between these two
//	         | set way "*"           between these and all other ranks
//	         | "*" ">" set           from all other ranks to these
//	         | "~" number way "*"    of so many ranks, drawn uniformly, and all others
//	         | decimal "%" way "*"   of every rank with this probability, and all others
//	way      = "|"                   both ways
//	         | ">"                   from the first to the second only
//	set      = range { "+" range }
//	range    = rank [ "-" rank ]     one rank, or all from the first to the second
//	messages = ranks "@" "send" n    that of the n-th send
//	         | links "@" "t" ticks [ ".." "t" ticks ]  all from the first time on, until before the second
//	point    = "t" ticks             at this time
//	         | "before-send" n       before the n-th send
//	         | "send" n              in the middle of the n-th send
//	         | "after-send" n        after the n-th send
//	         | "recv" n              at the n-th receive
//	         | "step:" name [ "#" n ]  at the n-th passage of the step, else at the first
//	         | ( "before-write" | "write" | "after-write" | "before-sync" | "sync" | "after-sync" ) n
//	changes  = "*" | change { "+" change }   all, or these of those made since the last sync
//	change   = n [ "-" n ]                   numbered from 1, in the order in which they were made
//
// An item without a point happens at t0, if it may. A mend draws no ranks. A step name is made of ASCII letters, digits and
// the characters - _ . and /. Numbers have neither signs nor leading zeros. Blanks and
// line ends around commas are allowed on input. The canonical text of a set is ascending and
// has no more ranges than it must, and where links go both ways the set with the smallest rank comes first. Some items:
//
//	crash:3@send2            rank 3 dies in its second send
//	hang:9@t12               rank 9 hangs at tick 12
//	slow:5x4@t10             rank 5 takes 4 times as long from tick 10 on
//	crash:3@step:commit#2    rank 3 dies when it passes "commit" for the second time
//	crash:3@sync2            rank 3 dies in the middle of the second sync of its storage, and loses what was not safe
//	crash:3@sync2:kept1      the same, but the first of these changes is kept
//	crash:3@t20:kept*        rank 3 dies at tick 20, and all its changes are kept
//	crash:~5                 five ranks are dead from the start
//	slow:0.01%x4@t10         one rank in 10,000, on average, becomes slow
//	rejoin:3@t90             rank 3 comes back at tick 90, if it has failed before
//	rejoin:50%@t90           each rank that fails because of an item before comes back or not
//	cut:0-3+9|4-7@t10        from tick 10 on nothing gets from one side to the other
//	cut:4|*@t10              rank 4 is cut off from all others
//	cut:~3|*@t10             three ranks are, together
//	cut:0-3>4-7@t10          what 0 to 3 send to 4 to 7 is lost, what those send arrives
//	mend:0-3|4-7@t90         from tick 90 on they hear each other again
//	late:0@send1+20          the first message that rank 0 sends takes 20 ticks longer
//	lose:0@send3             its third one is lost
//	twice:0@send3+5          its third one arrives again, 5 ticks after the first time
//	late:~5@send1+20         the first messages of five ranks take longer
//	lose:0>3@t10..t50        all that leaves rank 0 for rank 3 from tick 10 to tick 49 is lost
//
// [Schedule.String] prints the one canonical text of a schedule, and [Parse] reads back
// exactly what was printed.
//
// # Chance
//
// Items that name no rank are replaced by explicit ones by [Schedule.Expand], before a run
// starts. They draw from all ranks that are not spared, but
// rejoins from those that items before them let crash or hang, whether these ranks were
// named or drawn. The draw depends on the items, the number of ranks, the spared ranks and the
// seed alone. It uses no floating point, so it is the same on every platform, and each
// item draws from a stream of its own. Any seed is as good as another, 0 included.
//
// # What a schedule does
//
// One interpreter says what a schedule means for a run, and machines and pictures ask it: a
// [Tracker] follows a rank through its faults and knows the [Fate] of its messages, [Links] what happens on links, [Schedule.Rejoins]
// the ranks that come back, [Slowdowns] how slow a rank is when, and [Schedule.AppendUnfired] says
// what did not happen. How things happen is up to each machine.
//
// Next: package emu, which makes these faults happen.
package faults
