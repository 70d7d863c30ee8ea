"""Generates every training and evaluation conversation from the files in ``data/``."""
