"""How long tests wait for what should come at once."""

PATIENCE_S = 60
"""Only a failure takes so long; what is right may come late where other tests run as well."""
