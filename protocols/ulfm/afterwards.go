package ulfm

// Revoked reports whether a rank knew in the end that the communicator of all ranks is revoked. It
// may be asked when the run is over, also of ranks whose program had returned before they heard of it.
func (d *Diary) Revoked(machineRank int) bool {
	r := d.ranks[machineRank]
	if r == nil {
		return false
	}
	at, open := r.search(worldIdentity)
	return open && r.comms[at].revoked
}
