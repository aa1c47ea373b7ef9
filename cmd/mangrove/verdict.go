package main

import (
	"encoding/json"
	"io"

	"github.com/mangrove-emu/mangrove/scenarios"
)

// verdict is errBroken if a guarantee is.
func verdict(outcome *scenarios.Outcome) error {
	if outcome.Held() {
		return nil
	}
	return errBroken
}

func printJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}
