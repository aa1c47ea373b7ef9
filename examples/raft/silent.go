package raft

import (
	"fmt"

	etcd "go.etcd.io/raft/v3"
)

// silent is a logger that says nothing, for traces tell more. If the library finds its own state wrong it panics, which breaks a promise of every test.
type silent struct{}

// The library's memory storage has no other logger than the one for all.
func init() { etcd.SetLogger(silent{}) }

func (silent) Debug(...any)            {}
func (silent) Debugf(string, ...any)   {}
func (silent) Info(...any)             {}
func (silent) Infof(string, ...any)    {}
func (silent) Warning(...any)          {}
func (silent) Warningf(string, ...any) {}
func (silent) Error(...any)            {}
func (silent) Errorf(string, ...any)   {}

func (silent) Fatal(v ...any)                 { panic(fmt.Sprint(v...)) }
func (silent) Fatalf(format string, v ...any) { panic(fmt.Sprintf(format, v...)) }
func (silent) Panic(v ...any)                 { panic(fmt.Sprint(v...)) }
func (silent) Panicf(format string, v ...any) { panic(fmt.Sprintf(format, v...)) }
