"""Measures of mdchunk and its peers: ``python -m benchmarks MEASURE``.

Not part of the installed package: run it from a checkout, with the ``benchmarks`` extra.
"""
