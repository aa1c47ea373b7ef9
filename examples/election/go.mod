module github.com/mangrove-emu/mangrove/examples/election

go 1.26

require github.com/mangrove-emu/mangrove v0.0.0

require al.essio.dev/pkg/shellescape v1.6.1 // indirect

replace github.com/mangrove-emu/mangrove => ../..
