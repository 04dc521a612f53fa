#!/bin/sh
# Ladder objects for newer instruction sets must not define anything that the linker could share:
# an inline or template function compiled for AVX-512 can win over the same function compiled for
# every processor, and then crash an older node. Shared definitions are weak (V, W) or unique (u).
# Usage: isolated_objects_test.sh OBJECT...
set -eu
[ $# -gt 0 ] || { echo "no objects: nothing newer than the baseline is compiled here"; exit 0; }
# The one exception is data: pointers that gcc's exception tables need.
shared=$(nm --defined-only "$@" | grep -E '^[0-9a-f]+ [VWuvw] ' | grep -v ' V DW\.ref\.[A-Za-z0-9_]*$' || true)
[ -z "$shared" ] || { echo "shared definitions in objects for newer instruction sets:"; echo "$shared"; exit 1; }
echo "nothing shared in $# objects"
