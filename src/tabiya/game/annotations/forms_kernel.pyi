"""Values of annotations that stand on every move of many files, as text and as ChessBase's payload."""
