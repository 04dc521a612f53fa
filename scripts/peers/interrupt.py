"""SIGINT and SIGTERM, waited for by a thread of their own.

A handler that raises would do so anywhere, also inside of a compiler's callback, where it is lost.
"""

import signal
import threading

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Watch:
    """Calls `end(number)` for a signal that comes meanwhile. It must be blocked in all threads."""

    def __init__(self, end):
        self._end, self._over = end, False
        self._thread = threading.Thread(target=self._wait, daemon=True)

    def __enter__(self):
        self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over = True
        signal.pthread_kill(self._thread.ident, signal.SIGTERM)  # wakes it
        self._thread.join()
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)

    def _wait(self):
        number = signal.sigwait(SIGNALS)
        if not self._over:
            self._end(number)
