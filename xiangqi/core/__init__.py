"""The compiled core, and the contract of its doors.

The modules here are the only way in for Python: boards (``board``, with the values of ``move``),
and the searchers, evaluations, networks and samples of the engine. Whatever may be wrong with what
comes in is checked there and answered with an error; behind them, in the folders that are C only,
nothing is checked again except by the assertions of a debug build.
"""
