// What Debian 12's libstdc++.a takes from a newer glibc than the wheel's.
#include <stdint.h>
#include <unistd.h>

char __libc_single_threaded = 0;

uint32_t arc4random(void) {
  uint32_t number;
  while (getentropy(&number, sizeof number) != 0) {
  }
  return number;
}
