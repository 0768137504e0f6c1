"""What people look at: report workbooks and charts."""
