"""The network; C only."""
