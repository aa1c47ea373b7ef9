// Package room tells how much memory a process may still take, and from what.
//
// What limits a process may limit others as well: the memory of the host all processes on it, a control group (cgroup) all processes of a
// container or of a job of a batch system. So [Limits] lists all that limit this process, each with an ID that is the same for all whom
// it limits; what those take together must fit.
//
// All is read from the files that Linux has for it. Where there are none, nothing is known and the list is empty.
package room
