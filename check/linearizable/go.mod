module github.com/mangrove-emu/mangrove/check/linearizable

go 1.26

require (
	github.com/anishathalye/porcupine v1.3.1
	github.com/mangrove-emu/mangrove v0.0.0
	github.com/stretchr/testify v1.12.1
	pgregory.net/rapid v1.3.0
)

require (
	al.essio.dev/pkg/shellescape v1.6.1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace github.com/mangrove-emu/mangrove => ../..
