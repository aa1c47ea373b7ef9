package viewtest

// Lines are of all protocols, with what is special about them.
var Lines = []string{
	"broadcast P=64 tree=lame faults=crash:3@send2,hang:9@t12",
	"broadcast P=20 o=3 faults=slow:3x4@t2,slow:5x2@recv1,crash:1@send2,cut:4|*@t9",
	"broadcast P=16 correction=none faults=crash:1@recv1,crash:~1",
	"broadcast P=16 repeat=5",
	"broadcast P=1",
	"broadcast P=27 network=torus:3x3x3 latency=100ns tick=100ns",
	"broadcast P=64 start=overlapped correction=optimized d=3 network=switch:2",
	"multitree P=16",
	"gossip P=64 receive=many faults=crash:~3",
	"gossip P=40 variant=fcg f=1 faults=crash:7@step:correction",
	"big P=32",
	"bfb P=64 faults=crash:3@t14",
	"reduce P=20 f=2 faults=crash:2@send1,hang:1@t3",
	"allreduce P=20 f=1 faults=crash:2@t7",
	"membership P=16 faults=crash:5@t0",
	"membership P=8 until=3000 faults=cut:0-2|3-7@t10,crash:5@t20,rejoin:5@t900",
	"collective op=reduce P=16 faults=crash:0@step:exchange",
	"samplesort P=8 n=1000 faults=crash:0@step:broadcast",
	"broadcast P=12 nodes=3 L=9 o=3 Lin=1 oin=1 faults=crash:5@send1",
	"broadcast P=12 noise=20:6 jitter=uniform:0..4 faults=slow:2x2@t5",
	"broadcast P=12 faults=late:0@send1+20,lose:0@send2,twice:4@send1+5,late:2>*@t5..t40+7,cut:3>*@t4,mend:3|*@t9",
	"tpch-q3 P=8 sf=0.001 faults=crash:3@step:alltoallv",
}
