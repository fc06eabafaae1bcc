"""Meihua's speed, measured beside its peers in the same run: ``python -m bench``.

Every bench first checks that both sides compute the same; a wrong result cannot be fast. The
runs alternate, so that whatever else the machine does disturbs both sides alike.

    measure     alternating runs, medians, spread, ratios
    report      facts of the machine; the results as tables, JSON and Markdown
    plot        how costs grow with sizes, as a picture
    peers       the programs that Meihua is measured beside
    games       random games, the same every time
    building    compiles what the benches have in Cython: detectors.pyx

    perft       counting move sequences, beside Fairy-Stockfish
    legal_moves listing legal moves as Python objects, beside pyffish and cchess
    judging     ruling on repetitions, beside pyffish
    archives    ruling on files of games, by one process and by two; reading, beside cchess
    analysing   games analysed, by one process and by two
    refuting    whether the marks of an analysis hold against longer searches; by itself
    searching   nodes per second, time to depth and to mate, beside Fairy-Stockfish and HoiXiangqi
    mating      takes mates out of games of self-play, for ``mates.jsonl``; by itself
    detecting   knowing that a position has come back, in several ways
    starting    importing the package, a command, starting the engine, its memory
    profiling   in which functions the time is spent
"""
