"""A variant: one way to compute a workload, and the one idea that it adds."""

import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class Variant:
    """`function` gets the inputs, the output and the workload's parameters. It writes the output,
    or returns an array of its own, whose allocation is then part of its time."""

    name: str
    idea: str
    function: typing.Callable
    threads: str = "one"  # or "all": those that the job was given
    device: typing.Any = None  # a module that says how to use a GPU; None: on the CPU
    most_elements: int = 0  # too slow for more; 0: never
    obstacle: typing.Callable = lambda: ""  # why it cannot run here


@dataclasses.dataclass(frozen=True)
class Backend:
    name: str
    ladders: dict  # per workload, in teaching order; empty where it is not there
    reason: str = ""  # why it is not there
