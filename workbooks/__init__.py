"""The built add-ins and example workbooks, and what the examples are built from."""
