package ulfm

// mended is the binary tree of the members of a communicator as one of them sees it: member 0 is
// the root, those right below m are 2m+1 and 2m+2, and whoever is known to have failed is taken
// out. Members below one that is out come to the nearest above it that is left. If there is none,
// the first member that is left is the root, and all others that have nobody above them come to it.
//
// So a member is always above those with higher numbers only, and what is known of failures alone
// says who is above whom, in whatever order that became known.
type mended struct{ c *Comm }

// root is the first member that is left.
func (t mended) root() int {
	for member := 0; ; member++ {
		if t.c.alive(member) {
			return member
		}
	}
}

// above is the member that this one is below; itself if it is the root.
func (t mended) above() int {
	for member := t.c.me; member > 0; {
		if member = (member - 1) / 2; t.c.alive(member) {
			return member
		}
	}
	return t.root()
}

// below are the members right below this one. Those that came to it as the root are first.
func (t mended) below() (members []int) {
	if t.c.me > 0 && t.root() == t.c.me {
		members = t.left(0, members)
	}
	return t.children(t.c.me, members)
}

// children appends those below a member, whether that is left or not.
func (t mended) children(member int, members []int) []int {
	for child := 2*member + 1; child <= 2*member+2 && child < t.c.Size(); child++ {
		members = t.left(child, members)
	}
	return members
}

// left appends a member, or those below it if it is out. This one is not below itself.
func (t mended) left(member int, members []int) []int {
	switch {
	case member == t.c.me:
		return members
	case t.c.alive(member):
		return append(members, member)
	}
	return t.children(member, members)
}
