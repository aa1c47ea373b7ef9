module github.com/mangrove-emu/mangrove/examples/kv

go 1.26

require (
	github.com/mangrove-emu/mangrove v0.0.0
	github.com/mangrove-emu/mangrove/check/linearizable v0.0.0
	github.com/mangrove-emu/mangrove/examples/raft v0.0.0
	github.com/stretchr/testify v1.12.1
	go.etcd.io/raft/v3 v3.7.0
	go.uber.org/goleak v1.3.0
	google.golang.org/protobuf v1.36.11
)

require (
	al.essio.dev/pkg/shellescape v1.6.1 // indirect
	github.com/anishathalye/porcupine v1.3.1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace github.com/mangrove-emu/mangrove => ../..

replace github.com/mangrove-emu/mangrove/check/linearizable => ../../check/linearizable

replace github.com/mangrove-emu/mangrove/examples/raft => ../raft
