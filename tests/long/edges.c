/* Which ways a core that was compiled with -fsanitize-coverage=trace-pc has gone: it calls the first
   function here at the beginning of every basic block. An edge is a pair of blocks that followed one
   another, as a number that few other pairs have. One thread is followed. */

#include <stdint.h>
#include <string.h>

enum { BITS = 20 };

static unsigned char reached[1 << BITS];
static uint32_t fresh[1 << BITS];
static uint32_t fresh_count, before;

__attribute__((no_sanitize_coverage)) void __sanitizer_cov_trace_pc(void) {
  const uint64_t place = (uint64_t)(uintptr_t)__builtin_return_address(0);
  const uint32_t block = (uint32_t)((place * 0x9e3779b97f4a7c15u) >> (64 - BITS));
  const uint32_t edge = block ^ (before >> 1);
  before = block;
  if (!reached[edge]) {
    reached[edge] = 1;
    fresh[fresh_count++] = edge;
  }
}

/* Forget where the last call ended, so that the next one begins as if it were the first. */
void edges_begin(void) {
  before = 0;
  fresh_count = 0;
}

/* How many edges were reached since then that were never reached before. */
uint32_t edges_fresh(void) { return fresh_count; }
