"""Answers and errors in JSON: their types, and the functions that make them.

The commands, the HTTP service, the MCP server, the npm package and the page all answer in these
types. Their JSON schemas (:mod:`xiangqi.contract.schema`) are the source of the OpenAPI document,
of the MCP tools' schemas and of the npm package's types.
"""
