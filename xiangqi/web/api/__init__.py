"""The referee, the engine and the tables as a stateless HTTP service: ``xiangqi api``.

``messages`` has the types of requests and answers, ``answers`` computes the answers, ``problems``
describes errors, ``openapi`` writes the OpenAPI document and its page; all of them without HTTP.
``application`` has the routes and the searches, ``gate`` limits, logs and counts requests, and
``server`` listens, with the connections of :mod:`xiangqi.web.serve`.
"""
