"""My reverse: a view, copied.

To begin with: what does in[::-1] move, and what does copying it?
Measure it with: bench try FILE
"""

import bench


@bench.variant("reverse")
def mine(values, out):
    out[:] = values[::-1]
