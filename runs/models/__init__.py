"""Mirrored tables; only `mirror` writes them, and all of them may be dropped."""
