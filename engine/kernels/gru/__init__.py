"""A layer of gated recurrent units, kept whole when a network becomes ONNX."""
