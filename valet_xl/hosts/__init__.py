"""What all hosts of worksheet functions and commands share."""
