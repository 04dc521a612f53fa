import bench


@bench.variant("reverse")
def reverse(x, out):
    out[:] = x[::-1]
