"""Static evaluation by a network; C only."""
