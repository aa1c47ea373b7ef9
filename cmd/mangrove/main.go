package main

import (
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/command"
)

func main() { command.Main("mangrove", catalog.All()...) }
