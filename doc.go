// Package mangrove is an emulator that runs real message-passing protocols on up to
// millions of ranks in one process, deterministically and with failures on schedule.
//
// The code is in the packages below this one. Start with package emu, which is the
// machine, and package protocols, which is the contract that protocol code is written
// against; command mangrove runs experiments from the command line.
package mangrove
