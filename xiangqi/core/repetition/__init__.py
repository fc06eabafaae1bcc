"""Facts of a ply, cycles, conduct and verdict; C only."""
