"""Sheets, packages and bytes: what files are made of, whatever they are about."""
