// Command mangrove runs message-passing protocols on an emulated machine with failures on
// schedule, and says which guarantees they kept.
//
//	mangrove run broadcast P=65536        run a line; package scenarios/line has its grammar
//	mangrove replay 'LINE'                the same, for a line copied from a report
//	mangrove demo                         draw a small run
//	mangrove list                         protocols, their keys and values
//	mangrove promises broadcast           what a line promises, and under which premises
//	mangrove explore broadcast P=8        every schedule of up to so many failures
//	mangrove fuzz broadcast P=64          random schedules
//	mangrove shrink 'LINE'                make a line that breaks something smaller
//	mangrove view broadcast P=64          a page to look inside a run
//	mangrove compare 'LINE' 'LINE'        several protocols on the same machine
//	mangrove campaign FILE                many lines many times
//	mangrove paper trees-fig8             a paper's figure, ours beside the paper's
//	mangrove launch -n 64 broadcast       a line on real processes, over TCP
//
// Exit status: 0 if no guarantee was broken and something was judged, 1 if one was broken or the run
// failed, 2 for bad input, 3 if nothing could be judged, 130 after Ctrl-C or SIGTERM.
//
// Package scenarios/command is the command; here are only the protocols that it knows, those of the catalogue.
package main
