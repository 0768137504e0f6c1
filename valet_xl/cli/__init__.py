"""The command `valet-xl`: a module for each of its commands, and what they share."""
