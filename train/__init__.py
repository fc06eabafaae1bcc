"""Programs that train networks and tune the search; train/README.md has their commands."""

import xiangqi  # noqa: F401 - in a checkout that is not built, its error comes before others
