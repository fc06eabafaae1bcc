"""Static evaluation by hand-made terms or by a network; C only."""
