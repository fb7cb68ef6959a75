"""ArcFace's and CosFace's loss without the logits of a whole batch against all labels."""
