"""Questions about games and positions."""
