package collective

// Input is what tasks bring to an operation.
type Input[T any] struct {
	// Of returns what a task brings. It is called on the rank that does the task, when that is
	// needed for the first time; after a take-over on another rank, which has to restore it.
	Of func(task int) T
	// Lost is called on every rank after ranks have failed, with the tasks that were taken over
	// since then (see Since) or Lost was called last, before Of is called for them. It may call
	// operations of the team: what Of returns for a root may have to be gathered again. An error
	// ends the operation, and must be the same on all ranks: others would wait for ever. Optional.
	Lost func(tasks []int) error
	// Since is when a rank last had what Of returns, if other operations lie between: their losses
	// count, too. The zero Mark is the beginning of this operation.
	Since Mark
}

// Mark is a point in the life of a team.
type Mark int

// Mark is now, for Input.Since.
func (t *Team) Mark() Mark { return Mark(t.past.moves().len() + 1) }

// Given is the input of tasks whose data can be had at any time on any rank.
func Given[T any](of func(task int) T) Input[T] { return Input[T]{Of: of} }
