package reporttest

import (
	"context"

	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/report"
)

// InParts cuts a report of all ranks into so many, as if parts of a machine had made them, has somebody look at all of them at once, and returns what
// was seen in each.
func InParts[T any](ctx context.Context, whole *report.Report, count int, look func(*report.Report) T) []T {
	seen := make([]T, count)
	parts.Together(ctx, count, func(part parts.Mail) error {
		block := parts.BlockOf(part.Index(), count, len(whole.Ranks))
		own := *whole
		own.Ranks = whole.Ranks[block.First : block.First+block.Len]
		own.Share = &report.Share{First: block.First, Size: len(whole.Ranks), Parts: part}
		seen[part.Index()] = look(&own)
		return nil
	})
	return seen
}
