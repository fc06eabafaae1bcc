"""Interfaces of other libraries: ``xiangqi.compat.pyffish``."""
