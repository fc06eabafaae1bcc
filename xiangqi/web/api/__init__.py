"""The referee, the engine and the tables as a stateless HTTP service: ``xiangqi api``.

``messages`` has the types of requests and answers, ``answers`` makes the answers, ``problems``
describes errors, ``openapi`` writes the OpenAPI document and its page. These know no HTTP.
``application`` has the addresses and the searches, ``gate`` limits, logs and counts requests, and
``server`` listens; it shares the connections of :mod:`xiangqi.web.serve`.
"""
