"""Where the search parameters are kept; filled through the door by xiangqi.params."""
