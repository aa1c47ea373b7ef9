package ulfm

// Together is what [Comm.Replace] does with those who were started.
func (i *Intercomm) Together(place int) *Comm { return i.together(place, true) }
