"""The workloads of bench as users would otherwise write them."""

import signal
import sys

from interrupt import SIGNALS

# Libraries start threads when they are imported, and a signal may come to any thread.
signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)

try:
    import peers
except ModuleNotFoundError as missing:
    if missing.name not in ("numpy", "xxhash"):
        raise
    print(
        f"peers: {missing.name} is not installed: pip install -r scripts/peers/requirements.txt",
        file=sys.stderr,
    )
    sys.exit(2)

if __name__ == "__main__":
    sys.exit(peers.main(sys.argv))
