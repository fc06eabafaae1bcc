"""Prints what pyproject.toml requires: to build and to run, and for each extra that is named."""

import sys

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    from pip._vendor import tomli as tomllib

with open("pyproject.toml", "rb") as file:
    data = tomllib.load(file)
needs = data["build-system"]["requires"] + data["project"]["dependencies"]
for extra in sys.argv[1:]:
    needs += data["project"]["optional-dependencies"][extra]
print("\n".join(needs))
