// Package varint puts whole numbers and lists of ranks into the payloads of messages, in as few bytes as it
// can: on machines that charge for bytes, these take time. Numbers are those of encoding/binary, of
// variable length; of an ascending list there are only the distances from one number to the next.
package varint
