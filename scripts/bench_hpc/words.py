"""What the scripts say, in the languages of harness/words/phrases, and how each writes numbers."""
# ruff: noqa: RUF001, RUF002  (signs of multiplication are meant)

import json
import os
import re
from functools import cache, reduce

from bench_hpc.program import HERE, UsageError, plain

FOLDER = HERE / "phrases"
LANGUAGES = ("en", "pt", "es", "fr")
DEFAULT = os.environ.get("BENCH_LANG") or "en"
NO_BREAK = "\u00a0"
NARROW = "\u202f"
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@cache
def phrases(language):
    """All phrases of a language, by group."""
    return json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))


def language(text):
    """The language of pt-BR or ES_mx.UTF-8: the region does not matter. C and POSIX are English."""
    base = re.split("[-_.@]", text)[0].lower()
    found = "en" if base in ("c", "posix") else base
    if found not in LANGUAGES:
        option = "BENCH_LANG" if text == os.environ.get("BENCH_LANG") else "--lang"
        raise UsageError(f"{option} {text}: must be one of {', '.join(LANGUAGES)}")
    return found


class Words:
    """The words of one language, and of some groups: words("node"), words("shown", shown=3)."""

    def __init__(self, asked="en", *groups):
        self.language = language(asked)
        self._phrases = {
            key: text
            for group in ("words", "facts", *groups)
            for key, text in phrases(self.language)[group].items()
        }

    def __call__(self, key, *values, **fields):
        text = self._phrases[key]
        # Values may come from a result file: they are put in, never read as a pattern.
        shown = {name: plain(value) for name, value in fields.items()}
        return text.format(*map(plain, values), **shown) if values or fields else text

    def listed(self, parts):
        """Parts of a sentence, one after the other."""
        return reduce(lambda before, part: self("and_then", before, part), parts)

    def recorded(self, text):
        """A sentence that bench says in English to programs, in the language."""
        return phrases(self.language).get("fixed", {}).get(text, text)

    def number(self, value, decimals=0):
        """The number with the decimal sign of the language."""
        text = f"{value:.{decimals}f}"
        return text if self.language == "en" else text.replace(".", ",")

    def interval(self, low, high, decimals=2):
        between = {"en": ", ", "fr": "\u00a0; "}.get(self.language, "; ")
        return f"[{self.number(low, decimals)}{between}{self.number(high, decimals)}]"

    def short(self, value):
        """As many digits as needed, for ticks: 0.05, 1, 20, 10⁶."""
        if value and (abs(value) >= 99999 or abs(value) < 0.00099):
            digits, _, power = f"{value:.3e}".partition("e")
            digits = digits.rstrip("0").rstrip(".")
            power = "10" + str(int(power)).translate(SUPERSCRIPTS)
            text = power if digits == "1" else f"{digits}·{power}"
        else:
            text = f"{value:.6g}"
        return text if self.language == "en" else text.replace(".", ",")

    WHOLE = 99.95  # from here on a factor has no decimals

    def factor(self, value):
        """2.05×, 136×"""
        decimals = 0 if value >= self.WHOLE else 2 if value >= 0.00995 else 4
        return self.number(value, decimals) + "×"

    def percent(self, value):
        blank = "" if self.language == "pt" else NO_BREAK
        return self.number(100 * value, 1 if 0 < value < 0.0995 else 0) + blank + "%"

    def duration(self, seconds):
        value, name = self._in_unit(seconds)
        decimals = 3 if value < 9.9995 else 2 if value < 99.995 else 1 if value < 999.95 else 0
        return f"{self.number(value, decimals)}{NO_BREAK}{name}"

    def whole(self, seconds):
        """A round duration, at an axis: 50 µs."""
        value, name = self._in_unit(seconds)
        return f"{self.short(value)}{NO_BREAK}{name}"

    @staticmethod
    def _in_unit(seconds):
        units = ((1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
        unit, name = next(((u, n) for u, n in units if seconds >= u), units[-1])
        return seconds / unit, name

    def count(self, value):
        """A whole number: 10⁷, 4096, 42 000."""
        value = int(value)
        digits = str(value)
        if len(digits) > 3 and digits.rstrip("0") == "1":
            return "10" + str(len(digits) - 1).translate(SUPERSCRIPTS)
        return f"{value:,}".replace(",", NARROW) if value >= 10000 else digits

    def about(self, value):
        """A whole number with two digits: 42 000, 4.2·10⁶."""
        rounded = float(f"{value:.1e}")
        return self.count(rounded) if rounded < 1e6 else self.short(rounded)

    def size(self, size):
        """The size of a table, in words: 10⁷ elements, 256 bins."""
        elements, _, count = size.partition(":")
        unit = "steps_count" if "x" in elements else "bins_count"
        if "x" in elements:
            text = elements.replace("x", f"{NO_BREAK}×{NO_BREAK}")
        elif elements.isdecimal() and len(elements) < 30:
            text = self("elements", n=self.count(elements))
        else:
            text = elements
        return f"{text}, {self(unit, n=count)}" if count else text

    def elements(self, value):
        """A size at an axis, short."""
        return self.count(value) if value < 1e5 else self.short(value)
