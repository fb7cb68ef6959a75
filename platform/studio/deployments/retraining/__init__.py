"""Trains a deployment's model again by a rule that people set; decision 0039."""
