"""Clock, memory and bits; C only."""
