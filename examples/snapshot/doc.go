// Package snapshot has the snapshot algorithm of Chandy and Lamport, on ranks that send each other money: what they have together must be what
// there is, although nobody stops. What it promises, and what is known to go wrong, is in the README.
package snapshot
