"""ChessBase databases."""
