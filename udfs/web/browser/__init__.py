"""What runs inside the browser: calls from JavaScript, answered by the rooms of valet_xl."""
