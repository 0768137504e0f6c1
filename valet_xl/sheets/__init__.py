"""A sheet of results: scored, written, converted."""
