"""Where the graphs of a kind of answers are cut behind: a module for each kind whose graphs end in what phones cannot run.

``KIND(model)`` takes the graph with the shapes of its tensors, and returns a ``Cut``. Graphs of kinds without a module stay
whole. What is cut off is in ``product/finish/<kind>.py``.
"""
