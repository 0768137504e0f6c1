"""The game and its scores: arrays in, arrays out."""
