"""Results in the forms that people keep them in, read into `Results`."""
