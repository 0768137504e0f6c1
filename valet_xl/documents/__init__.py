"""Sheets, packages and bytes: what files are made of, whatever stands in them."""
