"""The board page as a static site: the browser runs the package itself, in Pyodide.

``backend`` handles the page's requests in the browser; ``build`` writes the site's folder.
"""
