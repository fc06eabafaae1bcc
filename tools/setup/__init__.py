"""The set-up of a checkout: virtual environment, requirements, compiled core.

Only the standard library is used, as nothing else is installed yet, and nothing that Python 3.7
would not read, so that an old version is named and not reported as a fault of the syntax.
"""
