"""The host browser: a bundle of static files in which Pyodide runs the engine, for the page and for Office.js."""
