package traceevent_test

import (
	"context"
	"os"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report/traceevent"
)

// Rank 0 sends rank 1 a message.
func ExampleWrite() {
	hello := protocols.Program{
		Initiators: []int{0},
		Main: func(p protocols.Proc) {
			if p.Rank() == 0 {
				p.Send(1, mailbox.Message{Kind: 1, A: 42})
				return
			}
			p.Recv(mailbox.Any)
		},
		KindName: func(mailbox.Kind) string { return "hello" },
	}
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 2, Latency: 2, Overhead: 1}, Trace: emu.TraceEvents})
	if err != nil {
		panic(err)
	}
	report, err := machine.Run(context.Background(), hello, emu.Options{Seed: 7})
	if err != nil {
		panic(err)
	}
	if err := traceevent.Write(os.Stdout, traceevent.Run{Report: report, KindName: hello.KindName}); err != nil {
		panic(err)
	}
	// Output:
	// {"otherData":{"machine":"P=2 L=2 o=1 g=0 G=0","seed":"7","faults":"none","hash":"6651b7f62460acf2","tick":"shown as 1us"},"traceEvents":[
	// {"ph":"M","pid":1,"ts":0,"cat":"__metadata","name":"process_name","args":{"name":"ranks"}},
	// {"ph":"M","pid":1,"tid":1,"ts":0,"cat":"__metadata","name":"thread_name","args":{"name":"rank 0"}},
	// {"ph":"M","pid":1,"tid":1,"ts":0,"cat":"__metadata","name":"thread_sort_index","args":{"sort_index":1}},
	// {"ph":"M","pid":1,"tid":2,"ts":0,"cat":"__metadata","name":"thread_name","args":{"name":"rank 0 receives"}},
	// {"ph":"M","pid":1,"tid":2,"ts":0,"cat":"__metadata","name":"thread_sort_index","args":{"sort_index":2}},
	// {"ph":"M","pid":1,"tid":3,"ts":0,"cat":"__metadata","name":"thread_name","args":{"name":"rank 1"}},
	// {"ph":"M","pid":1,"tid":3,"ts":0,"cat":"__metadata","name":"thread_sort_index","args":{"sort_index":3}},
	// {"ph":"M","pid":1,"tid":4,"ts":0,"cat":"__metadata","name":"thread_name","args":{"name":"rank 1 receives"}},
	// {"ph":"M","pid":1,"tid":4,"ts":0,"cat":"__metadata","name":"thread_sort_index","args":{"sort_index":4}},
	// {"ph":"X","pid":1,"tid":1,"ts":0,"dur":1,"name":"hello","cat":"send","args":{"peer":1,"kind":"hello","epoch":0,"a":42}},
	// {"ph":"X","pid":1,"tid":4,"ts":3,"dur":1,"name":"hello","cat":"receive","args":{"peer":0,"kind":"hello","epoch":0,"a":42}},
	// {"ph":"s","pid":1,"tid":1,"ts":0,"name":"message","cat":"message","id":1},
	// {"ph":"f","pid":1,"tid":4,"ts":3,"name":"message","cat":"message","id":1,"bp":"e"},
	// {"ph":"i","pid":1,"tid":1,"s":"t","ts":0,"name":"coloured","cat":"colouring"},
	// {"ph":"i","pid":1,"tid":3,"s":"t","ts":4,"name":"coloured","cat":"colouring"}
	// ]}
}
