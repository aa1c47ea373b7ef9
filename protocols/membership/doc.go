// Package membership is a group membership service on a radix tree, after Jyothish Varma's
// thesis on scalable membership for large machines: every rank has a view, the set of ranks that
// are there, and after failures and joins all agree on a new one.
//
// # Views
//
// All ranks know at the start how many they are and how many children each has in the tree; so
// they agree without a message. A [View] is that, a [Group], and the [Changes] since. It is a
// tree, down which changes go, and a list, for messages between any two members. Its root is the
// member with the lowest number. Memory for a view does not grow with the number of ranks:
// Changes have eight bytes for each rank that has failed or come, and those that hold the same
// view share them.
//
// Changes count how often each rank has left or come. Of two counts the higher is right, so
// there is nothing to decide when two ranks know different things: both learn from each other,
// and nothing that somebody alive knows gets lost with a root that fails.
//
// # A failure
//
//	HOW_ARE_YOU     a rank asks another, and waits in vain
//	NODE_FAILURE    it tells the root
//	FAILURE_DET_ACK the root has heard it
//	FAILED_NODE     the root recalculates its view and tells its children in the new tree, which
//	                do the same
//	FAILURE_ACK     a rank has changed its view, and so have all below it; when the root has
//	                that of all its children, the tree is stable
//
// A rank that does not get a receipt or an acknowledgement in time suspects who should have sent
// it, and tells the root in its turn. So a failure during a view change is found by it. The root
// waits for the end of a view change, and begins the next one with all that it has learnt
// meanwhile. If a root gives no receipt, the next member in the list is told, ROOT_FAILURE, and
// is the root then; its view change is ROOT_DEAD, or ROOT_AND_NODE_FAILURE if there is more.
//
// A view change is known by its Changes. Whoever has a view that includes them acknowledges
// at once, and adds what they leave out. Whoever has a view that they do not include, because a
// root told only some before it failed, hands them on but keeps its view; the acknowledgements
// tell the new root what it is missing, and it begins another view change. So views only
// ever grow, and two ranks that take up the same view change hold the same view.
//
// # A join
//
// A new rank sends NEW_NODE to the root, one that has failed NODE_ALIVE; if there is no receipt,
// to the next rank. The receipt says as whom it will be a member, which it is as soon as the view
// change reaches it, NEW_NODE_JOIN or ALIVE_NODE_JOIN; it is welcomed by the root with JOIN_DET_ACK when the tree is stable. A
// rank with a lower number than the root's has the view change left to itself: it is the root.
// If the view change does not come, because somebody has failed, the rank asks once more, and tells what it was granted: it is
// granted the same, and whoever has it in its view sends it that, JOIN_DET_ACK.
//
// # Timeouts
//
// The service needs no failure detector of the machine: whoever does not answer in time has
// failed. That is right if timeouts are long enough, which by themselves they are
// ([Options].UsualTimeout), and ranks are not slow. A rank that is taken for failed though it
// lives is excluded: members ignore its messages, and tell it so. It may ask to come back, like
// one that has failed. A cut link looks like failures on the other side: each partition agrees
// on a view of its own, and may go on. Or those abort that have lost half of the members of the last
// view that all had, so that no two partitions go on; for this roots say when a view is stable,
// VIEW_STABLE (see primary).
//
// Slow ranks can split a group into two that take each other for failed. A root asks one of those
// that have left whenever it asks its successor; so they find each other, and the smaller group
// gives in. A rank that has asked all others to become a member, and got no answer, begins a
// group of its own, which others will find.
//
// # What is promised
//
// Always, whatever fails: a rank is a member of its own view, no view comes twice, who takes up
// the same view change has the same view, all live members of a view have installed it when its root takes it for
// stable, and no message is sent twice to the same rank.
//
// If timeouts are long enough, nobody is slow, ranks ask their successors regularly, and one is a member throughout: whenever an unrest is
// over ([Service.Unrest]) all live ranks of a partition hold the same view, of all of them and
// nobody else; if minorities abort, no two hold views without a common member. The catalogue of
// scenarios has these as code.
//
// # What the thesis leaves open
//
// It counts nodes from 1, so its nodes 4, 5 and 11 are ranks 3, 4 and 10 here. Its figure has
// the receipt to a new node sent at once, its text once the tree is stable; here there are
// both. It does not say how a failed root's half-told view change is recognised, who the root is
// when a lower number comes back, or how an excluded rank finds out; see above.
//
// Next: package model, which predicts how long it takes.
package membership
