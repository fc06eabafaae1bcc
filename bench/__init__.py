"""Meihua's speed, measured beside its peers in the same run: ``python -m bench``.

Every bench first checks that both sides compute the same; a wrong result cannot be fast. The
runs alternate, so that whatever else the machine does disturbs both sides alike.

    measure     alternating runs, medians, spread, ratios
    report      facts of the machine; the results as tables, JSON and Markdown
    peers       the programs that Meihua is measured beside
    games       random games, the same every time

    perft       counting move sequences, beside Fairy-Stockfish
    legal_moves listing legal moves as Python objects, beside pyffish
    judging     ruling on repetitions, beside pyffish
    searching   nodes per second and time to depth, beside Fairy-Stockfish
    importing   how long ``import xiangqi`` takes
"""
