#!/usr/bin/env bash
# Two nodes: measure the same on each, then compare. Here both are this machine, under two names.
# bash two_nodes.sh
for node in n1 n2; do
  # On a cluster: srun --nodelist=$node bench …
  SLURMD_NODENAME=$node bench copy energy --size 1e5 --max-time 0.2 --output "$node.json"
done

bench compare n1.json n2.json --nodes 'n[1-2]' # exit code 0: equal, 3: one is slow, 4: unclear
