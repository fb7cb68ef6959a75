"""Tables: what their cells look like, how rows become numbers, and how that becomes part of a graph. Without torch."""
