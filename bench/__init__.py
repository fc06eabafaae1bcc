"""Benchmarks of Meihua against other programs: ``python -m bench``.

Every benchmark first checks that both programs compute the same results. Runs alternate, so that
other load on the machine affects both alike.

    measure     alternating runs, medians, spread, ratios
    report      the machine; results as tables, JSON and Markdown
    plot        plots of cost against size
    peers       the other programs
    games       reproducible random games
    building    compiles detectors.pyx

    perft       perft, against Fairy-Stockfish
    legal_moves listing legal moves as Python objects, against pyffish and cchess
    judging     ruling on repetitions, against pyffish
    archives    ruling on files of games, with one and two processes; reading, against cchess
    analysing   analysing games, with one and two processes
    searching   nodes per second, time to depth and mate, against Fairy-Stockfish and HoiXiangqi
    detecting   detecting repetitions, by several algorithms
    starting    time to import the package and start commands and the engine; memory
    profiling   shares of time by function

These modules are programs of their own:

    api_load    load test of ``xiangqi api``
    endings     playing won and drawn endings of the tables against another engine
    levels      strength of the engine's levels
    mating      extracts mates from self-play games, for ``mates.jsonl``
    refuting    checks the marks of an analysis by longer searches
    rulings     verdicts of pyffish on the cases of rule books
    strength    games against other engines
"""
