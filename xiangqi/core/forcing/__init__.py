"""Play by checks and captures: mates and what lines of such moves win; C only."""
