from tabiya.chess.position_kernel import PositionCore

def load_bitboards(
    core: PositionCore,
    white: int,
    black: int,
    pawns: int,
    knights: int,
    bishops: int,
    rooks: int,
    queens: int,
    kings: int,
    black_to_move: bool,
    castling: int,
    ep: int,
) -> bool: ...
