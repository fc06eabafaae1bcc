# C only: nothing here can be seen from Python.
