module github.com/mangrove-emu/mangrove/examples/raft

go 1.26

require (
	github.com/mangrove-emu/mangrove v0.0.0
	google.golang.org/protobuf v1.36.11
)

require (
	github.com/stretchr/testify v1.12.1
	go.etcd.io/raft/v3 v3.7.0
	go.uber.org/goleak v1.3.0
)

require (
	al.essio.dev/pkg/shellescape v1.6.1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace github.com/mangrove-emu/mangrove => ../..
