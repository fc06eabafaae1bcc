"""Drop-in interfaces of other libraries: :mod:`xiangqi.compat.pyffish`."""
