"""Generates all conversations for training and evaluation from the files in ``data/``."""
