"""The compiled endgame tables; C only."""
