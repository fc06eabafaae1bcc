"""Engine against engine: games with true clocks and rulings, statistics, ratings, records."""
