"""Hands in tricks, by the Binky method."""
