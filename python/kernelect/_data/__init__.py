"""What comes in: rows, columns, targets and folds, checked once."""
