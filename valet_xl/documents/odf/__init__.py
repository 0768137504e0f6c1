"""The content of a spreadsheet as OpenDocument (ISO/IEC 26300) writes it."""
