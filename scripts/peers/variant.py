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
    device: typing.Optional[str] = None  # "numba" or "cupy": on a GPU, through that package
    most_elements: int = 0  # too slow for more; 0: never
    obstacle: typing.Callable = lambda: ""  # why it cannot run here
