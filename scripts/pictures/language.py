"""The words of pictures."""
# ruff: noqa: RUF001  (a sign of multiplication is meant)

import words


class Words(words.Words):
    def __init__(self, language="en"):
        super().__init__(language, "pictures")

    def size(self, size):
        elements, _, bins = size.partition(":")
        if "x" in elements:
            text = elements.replace("x", f"{words.NO_BREAK}×{words.NO_BREAK}")
        elif elements.isdecimal() and len(elements) < 30:
            text = self("elements", n=self.count(elements))
        else:
            text = elements
        return f"{text}, {self('bins_count', n=bins)}" if bins else text
