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
// nothing wrong; only a timeout gives a hung rank away.
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
// # What can happen to the links
//
// A cut parts two sets of ranks. From its instant on whatever a rank of one side sends to a
// rank of the other disappears, both ways; the sender pays for the send and learns nothing.
// What has left its sender before still arrives. Ranks of the same side, and those of neither,
// talk on as before. A cut is not mended.
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
// Rejoins and cuts come from outside, and happen at times only; a rejoin at t1 or later, for
// before that nothing can have failed.
//
// # Text
//
// A schedule is a list of items with commas between them, or "none":
//
//	schedule = "none" | item { "," item }
//	item     = ("crash" | "hang") ":" ranks [ "@" point ]
//	         | "slow" ":" ranks "x" factor  [ "@" point ]
//	         | "rejoin" ":" ranks "@" "t" ticks
//	         | "cut" ":" sides [ "@" "t" ticks ]
//	ranks    = rank                  this rank
//	         | "~" number            so many ranks, drawn uniformly
//	         | decimal "%"           every rank with this probability, up to 9 decimals
//	sides    = set "|" set           between these two
//	         | set "|" "*"           between these and all other ranks
//	         | "~" number "|" "*"    so many ranks, drawn uniformly, off from all others
//	         | decimal "%" "|" "*"   every rank with this probability, off from all others
//	set      = range { "+" range }
//	range    = rank [ "-" rank ]     one rank, or all from the first to the second
//	point    = "t" ticks             at this time
//	         | "before-send" n       before the n-th send
//	         | "send" n              in the middle of the n-th send
//	         | "after-send" n        after the n-th send
//	         | "recv" n              at the n-th receive
//	         | "step:" name [ "#" n ]  at the n-th passage of the step, else at the first
//
// An item without a point happens at t0. A step name is made of ASCII letters, digits and
// the characters - _ . and /. Numbers have neither signs nor leading zeros. Blanks and
// line ends around commas are allowed on input. The canonical text of a set is ascending and
// has no more ranges than it must, and the set with the smallest rank comes first. Some items:
//
//	crash:3@send2            rank 3 dies in its second send
//	hang:9@t12               rank 9 hangs at tick 12
//	slow:5x4@t10             rank 5 takes 4 times as long from tick 10 on
//	crash:3@step:commit#2    rank 3 dies when it passes "commit" for the second time
//	crash:~5                 five ranks are dead from the start
//	slow:0.01%x4@t10         one rank in 10,000, on average, becomes slow
//	rejoin:3@t90             rank 3 comes back at tick 90, if it has failed before
//	rejoin:50%@t90           each rank that fails because of an item before comes back or not
//	cut:0-3+9|4-7@t10        from tick 10 on nothing gets from one side to the other
//	cut:4|*@t10              rank 4 is cut off from all others
//	cut:~3|*@t10             three ranks are, together
//
// [Schedule.String] prints the one canonical text of a schedule, and [Parse] reads back
// exactly what was printed.
//
// # Chance
//
// Items that name no rank are replaced by explicit ones by [Schedule.Expand], before a run
// starts. Crashes, hangs, slow-downs and cuts draw from all ranks that are not spared,
// rejoins from those that items before them let crash or hang, whether these ranks were
// named or drawn. The draw depends on the items, the number of ranks, the spared ranks and the
// seed alone. It uses no floating point, so it is the same on every platform, and each
// item draws from a stream of its own. Any seed is as good as another, 0 included.
//
// # What a schedule does
//
// One interpreter says what a schedule means for a run, and machines and pictures ask it: a
// [Tracker] follows a rank through its faults, [Cuts] are links that are cut, [Schedule.Rejoins]
// the ranks that come back, [Slowdowns] how slow a rank is when, and [Schedule.AppendUnfired] says
// what did not happen. How things happen is up to each machine.
//
// Next: package emu, which makes these faults happen.
package faults
