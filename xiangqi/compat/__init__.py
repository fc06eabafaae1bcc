"""Calls of other libraries, answered by Meihua: ``xiangqi.compat.pyffish``."""
