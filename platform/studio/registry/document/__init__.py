"""The report of a model as one file that needs nothing else: no script, no request, ready to print."""
