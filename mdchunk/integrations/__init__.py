"""Hosts that mdchunk works inside of: one file a host, none loaded before it is asked for."""
