KNIGHT_STEPS: tuple[tuple[int, int], ...]
KING_STEPS: tuple[tuple[int, int], ...]
WHITE_PAWN_STEPS: tuple[tuple[int, int], ...]
BLACK_PAWN_STEPS: tuple[tuple[int, int], ...]
