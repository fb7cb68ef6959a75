"""What the formats of phones share: a picture model's graph for one size of picture, and a product that does the rest of it.

Their runtimes run a network, but neither the resize of pictures of any size nor the choice among candidates at the end of some
graphs. So a graph is cut in front and behind (docs/decisions/0054): ``graph.py`` does so while a format's converter runs, and
what is cut off stands in ``product/``, which is shipped and checked with the model.
"""
