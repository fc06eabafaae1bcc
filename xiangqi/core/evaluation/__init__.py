"""What a quiet position is worth, by terms or by a network; C only."""
