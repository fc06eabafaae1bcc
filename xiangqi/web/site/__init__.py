"""The board and the referee as files for any web server: the browser itself runs the package.

``answers`` is what answers there, in place of a server; ``build`` writes the folder.
"""
