"""From cells and files to results."""
