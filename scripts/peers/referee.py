"""The referee: results held against the definition, element by element, in float64."""

import dataclasses

import numpy as np

PART = 1 << 16  # elements at a time: what is computed with them stays in a cache


@dataclasses.dataclass(frozen=True)
class Verdict:
    passed: bool
    metric: str
    max_error: float
    tolerance: float
    reason: str = ""


def ulp_errors(got, want):
    """Distances in units in the last place of the correct result; infinite for no number."""
    with np.errstate(all="ignore"):
        rounded = want.astype(got.dtype)
        errors = np.abs(got.astype(np.float64) - want) / np.spacing(np.abs(rounded))
    errors[~np.isfinite(errors)] = np.inf
    errors[(got == rounded) | (np.isnan(got) & np.isnan(want))] = 0
    return errors


def count_errors(got, want):
    return np.abs(got.astype(np.float64) - want)


def is_poison(got):
    """True where an element still holds the poison."""
    words = got.view(np.uint32 if got.itemsize == 4 else np.uint64)
    return words == np.iinfo(words.dtype).max


def _difference(got, want, errors_of, tolerance):
    """Both numbers, with digits enough to tell them apart."""
    digits = 17 if got.dtype == np.float64 else 9
    wanted = f"instead of {want:.{digits}g}"
    if got.dtype.kind == "u":
        return f"{got} {wanted}"
    if np.isnan(got):
        return f"NaN {wanted}"
    error = errors_of(np.array([got]), np.array([want]))[0]
    return f"{got:.{digits}g} {wanted} (error {error:.3g} ulp, tolerance {tolerance:.3g})"


def check(got, want, tolerance):
    """The verdict on a result. Counts are exact, and told by their type."""
    counts = got.dtype.kind == "u"
    errors_of = count_errors if counts else ulp_errors
    metric = "count" if counts else "ulp"
    got, want = got.reshape(-1), want.reshape(-1)
    unwritten = wrong = 0
    first_unwritten = first_wrong = None
    worst = 0.0
    for begin in range(0, got.size, PART):
        part, right = got[begin : begin + PART], want[begin : begin + PART]
        poison = is_poison(part)
        if counts:
            poison &= ~is_poison(right)
        errors = errors_of(part, right)
        errors[poison] = np.inf
        worst = max(worst, float(errors.max()))
        bad = ~(errors <= tolerance) & ~poison  # so that NaN is bad
        if poison.any():
            unwritten += int(poison.sum())
            if first_unwritten is None:
                first_unwritten = begin + int(poison.argmax())
        if bad.any():
            wrong += int(bad.sum())
            if first_wrong is None:
                first_wrong = begin + int(bad.argmax())
    reason = ""
    if unwritten and unwritten == got.size:
        reason = "wrote nothing: the output still holds the poison"
    elif unwritten:
        reason = (
            f"left out {unwritten} of {got.size} elements, the first at index {first_unwritten}"
        )
    elif wrong:
        reason = (
            f"{wrong} of {got.size} elements are wrong, the first at index {first_wrong}: "
            + _difference(got[first_wrong], want[first_wrong], errors_of, tolerance)
        )
    return Verdict(not reason, metric, worst, float(tolerance), reason)
