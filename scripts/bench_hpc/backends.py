"""The backends that the program has, in the order of its tables."""

from dataclasses import dataclass
from functools import cache

from bench_hpc import program

END_TO_END = "_end_to_end"  # at the end of a series: with transfers


@dataclass(frozen=True)
class Backend:
    name: str
    runs_on: str  # one_thread, all_threads or device
    ladder: str  # the backend that it is compared with: another one for a model
    needs: str  # what some builds are without, or None
    built: bool  # in this one


@cache
def backends():
    """name -> Backend."""
    listed = program.ask(["list", "--format", "json", "copy"])["backends"]
    return {one["name"]: Backend(**one) for one in listed}


def runs_on(name, where):
    """Whether this is one of bench's own that runs there."""
    found = backends().get(name)
    return bool(found) and found.runs_on == where


def is_model(name):
    return ladder_of(name) != name


def ladder_of(series):
    """The backend that this one is compared with, with transfers or without."""
    name = series.removesuffix(END_TO_END)
    found = backends().get(name)
    return (found.ladder if found else name) + series[len(name) :]
