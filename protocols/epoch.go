package protocols

import "github.com/mangrove-emu/mangrove/mailbox"

// RecvEpoch returns the first message of an operation that want accepts, and its sender.
// Messages of earlier operations that come before it are late, and dropped; later ones stay
// in the mailbox. Where the earlier ones are to stay, too, Recv takes want.OfEpoch(epoch).
func RecvEpoch(p Proc, want mailbox.Want, epoch uint32) (from int, m mailbox.Message) {
	want = want.UpTo(epoch)
	for {
		if from, m = p.Recv(want); m.Epoch == epoch {
			return from, m
		}
	}
}
