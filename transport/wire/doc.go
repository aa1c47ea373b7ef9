// Package wire is what goes over a connection between two processes of a job: frames, the
// handshake by which both sides prove that they know the job's secret, and the session that
// comes of it.
//
// # Frames
//
// All numbers are big-endian.
//
//	length   4 bytes   of all that follows, at most the session's limit
//	version  1         of this format
//	type     1         message, control, welcome, refusal or late message
//	job      8         the job's number
//	from     4         message: the rank that sent it
//	to       4         message: the rank that it is for
//	left     8         message: when it left its sender, in ticks; late message: before when it must not be received
//	kind     1         message: as in package mailbox
//	epoch    4
//	a        8
//	payload            the rest
//	tag      16        checksum with a key
//
// The tag is a GMAC (AES-GCM without text) over all that comes before it and over the number of
// the frame in its direction. So it finds bits that changed on the way as a checksum does, and
// also frames that were injected, repeated, left out or put in another order by somebody who does
// not know the secret. Payloads are not hidden: for that there is TLS (package tcp).
//
// # Handshake
//
//	client  hello: magic, version, role, job, process, life, 32 random bytes
//	server  hello of its own, and HMAC-SHA256(secret, "server" hello hello)
//	client  HMAC-SHA256(secret, "client" hello hello)
//	server  a frame: welcome, or a refusal with the reason
//
// Each side's proof covers the random bytes of both, so one that was recorded is worth nothing
// the next time; each direction gets a key of its own from the same two hellos. Everything before
// the proofs has a fixed length of less than 100 bytes, and all of it must come before a deadline,
// so a stranger can keep neither memory nor a connection.
//
// Next: package tcp, which runs protocols over such sessions.
package wire
