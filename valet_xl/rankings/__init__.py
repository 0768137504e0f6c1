"""Who did what, and how sure that is."""
