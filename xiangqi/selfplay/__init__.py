"""Self-play games for training: their ``generation``, and ``samples`` of their positions."""
