package protocols

import "github.com/mangrove-emu/mangrove/mailbox"

// These were the only way to ask before Proc had methods for it, and code outside uses them.

// LifeOf is p.Life().
func LifeOf(p Proc) int { return p.Life() }

// Linger is p.Linger(want).
func Linger(p Proc, want mailbox.Want) (from int, m mailbox.Message) { return p.Linger(want) }
