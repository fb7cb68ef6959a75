"""What a segmenter's losses are made of, from logits of cells, without logits of all pixels."""
