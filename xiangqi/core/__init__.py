"""The compiled core and the contract of its public modules.

Python reaches the core through these modules only: boards (``board``, with the values of ``move``),
and the searchers, evaluations, networks and samples of the engine. They validate all input and
raise errors; the C-only packages below them check nothing again, except by the assertions of a
debug build.
"""
