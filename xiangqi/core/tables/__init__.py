"""The compiled end-game tables; C only."""
