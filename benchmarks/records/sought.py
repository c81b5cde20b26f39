"""Patterns that are sought together: one pass over a text tells which of them occur in it.

The patterns are RE2's, which has no look-around; the time of a pass grows with the text alone.
"""

from collections.abc import Sequence, Set

import re2

END = r"\z"
"""Found in every text: a pass that did not find even this did not come to the end."""
MEMORY_BYTES = 2**23


class Sought:
    """Some patterns, each known by its number."""

    def __init__(self, patterns: Sequence[str], *, either_case: bool = False) -> None:
        """`either_case` takes letters in either case, in texts that are UTF-8.

        Raises:
            re2.error: RE2 does not know a pattern.
        """
        options = re2.Options()
        options.case_sensitive = not either_case
        if not either_case:
            options.encoding = re2.Options.Encoding.LATIN1
        options.dot_nl = True
        options.log_errors = False
        options.max_mem = MEMORY_BYTES
        self._patterns = re2.Set.SearchSet(options)
        for pattern in (*patterns, END):
            self._patterns.Add(pattern)
        self._patterns.Compile()
        self._end = len(patterns)
        self._all = frozenset(range(len(patterns)))

    def within(self, text: bytes) -> Set[int]:
        """The numbers of the patterns that occur in a text; of all, should the pass have failed."""
        found: list[int] = self._patterns.Match(text)
        if self._end not in found:
            return self._all
        found.remove(self._end)
        return set(found)
