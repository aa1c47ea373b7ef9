package main

import "context"

// interrupted is the error of a command that the user has ended. What it had found until then
// has been printed.
type interrupted struct{ advice string }

func (i interrupted) Error() string { return "interrupted" + i.advice }

// Is lets it count as the end of the context, which it is.
func (i interrupted) Is(target error) bool { return target == context.Canceled }
