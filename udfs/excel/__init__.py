"""The host Excel for Windows: worksheet functions and ribbon, carried in and out by xlwings."""
