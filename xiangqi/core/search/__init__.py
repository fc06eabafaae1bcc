"""The search; C only."""
