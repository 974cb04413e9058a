/* Counts the deals of Matrix Capture 4x4 at each margin, exactly.

   A deal is three rows and a last row x. The three rows are taken up to their order and the order of the columns, as
   four columns c[0] <= c[1] <= c[2] <= c[3], each the number of its three entries in base K. For one such block the
   margins of all K^4 rows x are found together. The first move takes

     - a number of row x in column j:         x[j] - three(block without column j)
     - the number of row i and column j:      block[i][j] - three(the other two rows and x, without column j)

   and the margin is the largest of these, where three is the mover's lead on a 3x3 board. The second kind depends on
   three entries of x, so for each j it is a table u[j] of K^3 numbers:

     margin(x) = max( u[0](x1,x2,x3), u[1](x0,x2,x3), u[2](x0,x1,x3), u[3](x0,x1,x2), x[j] - w[j] for each j )

   Entries count from 0: a margin on an even board does not change when every number grows by one, nor does
   x[j] - three, since three grows by one too. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __AVX512VBMI__
#include <immintrin.h>
#endif

#ifndef K
#define K 9
#endif
enum { K2 = K * K, K3 = K * K * K, LANES = (K3 + 63) / 64 * 64, GROUP = 64 };

typedef int8_t Table[LANES] __attribute__((aligned(64)));

static int8_t *three;                 /* three[(p * K3 + q) * K3 + r]: the lead on the board of rows p, q, r */
static int16_t turned[6][K3];         /* a column after each order of the rows */
static int16_t first_turned[K3];      /* the least of these */
static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
static Table digit[3];                /* digit[d][x]: the d-th entry of a row of three */

static int entry(int code, int d) { return d == 0 ? code / K2 : d == 1 ? code / K % K : code % K; }
static int row(int a, int b, int c) { return a * K2 + b * K + c; }
static int max(int a, int b) { return a > b ? a : b; }
static int two(int a, int b, int c, int d) { return max(abs(a - d), abs(b - c)); }

static int lead3(const int m[3][3]) {
  int best = -99;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int a = i == 0, b = i == 2 ? 1 : 2, c = j == 0, d = j == 2 ? 1 : 2;
      best = max(best, m[i][j] - two(m[a][c], m[a][d], m[b][c], m[b][d]));
    }
  return best;
}

static int8_t *three_rows(int p, int q) { return three + ((int64_t)p * K3 + q) * K3; }

int prepare(void) {
  if (three) return 0;
  three = malloc((size_t)K3 * K3 * K3 + LANES);
  if (!three) return 1;
  for (int p = 0; p < K3; p++)
    for (int q = 0; q <= p; q++)
      for (int r = 0; r < K3; r++) {
        int m[3][3];
        for (int d = 0; d < 3; d++) m[0][d] = entry(p, d), m[1][d] = entry(q, d), m[2][d] = entry(r, d);
        three_rows(p, q)[r] = three_rows(q, p)[r] = lead3(m);
      }
  for (int c = 0; c < K3; c++) {
    first_turned[c] = K3;
    for (int o = 0; o < 6; o++) {
      turned[o][c] = row(entry(c, orders[o][0]), entry(c, orders[o][1]), entry(c, orders[o][2]));
      if (turned[o][c] < first_turned[c]) first_turned[c] = turned[o][c];
    }
    for (int d = 0; d < 3; d++) digit[d][c] = entry(c, d);
  }
  return 0;
}

/* How many different blocks are like this one but for the order of rows and columns; 0 if a smaller one is like it. */
static int likenesses(const int c[4]) {
  int same = 0;
  for (int o = 0; o < 6; o++) {
    int s[4];
    for (int k = 0; k < 4; k++) {
      int v = turned[o][c[k]], at = k;
      while (at > 0 && s[at - 1] > v) s[at] = s[at - 1], at--;
      s[at] = v;
    }
    int k = 0;
    while (k < 4 && s[k] == c[k]) k++;
    if (k == 4) same++;
    else if (s[k] < c[k]) return 0;
  }
  int ways = 24, run = 1;
  for (int k = 1; k < 4; k++) {
    run = c[k] == c[k - 1] ? run + 1 : 1;
    ways /= run;
  }
  return ways * 6 / same;
}

#ifdef __AVX512VBMI__
static __m512i spread[3][LANES / 64];
static void prepare_spread(void) {
  uint8_t at[3][LANES];
  memset(at, 0, sizeof at);
  for (int x = 0; x < K3; x++) {
    int a = entry(x, 0), b = entry(x, 1), c = entry(x, 2);
    at[0][x] = b * K + c, at[1][x] = a * K + c, at[2][x] = a * K + b;
  }
  for (int t = 0; t < 3; t++)
    for (int v = 0; v < LANES / 64; v++) spread[t][v] = _mm512_loadu_si512(at[t] + 64 * v);
}

/* One-hot bytes are counted in bit planes: plane k holds bit k of the count of every bit of every byte. */
static inline __m512i carry(__m512i *sum, __m512i a, __m512i b) {
  __m512i out = _mm512_ternarylogic_epi64(*sum, a, b, 0xe8);
  *sum = _mm512_ternarylogic_epi64(*sum, a, b, 0x96);
  return out;
}

static void count_rows(Table u[4], int64_t counts[K]) {
  const __m512i hot = _mm512_broadcast_i32x4(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, (char)128, 0, 0, 0, 0, 0, 0, 0, 0));
  __m512i plane[8], zero = _mm512_setzero_si512();
  for (int k = 0; k < 8; k++) plane[k] = zero;
  for (int a = 0; a < K; a++) {
    __m512i low[3], high[3], bit[LANES / 64 + 3];
    for (int t = 0; t < 3; t++) {
      low[t] = _mm512_loadu_si512(u[t + 1] + a * K2);
      high[t] = _mm512_maskz_loadu_epi8(K2 > 64 ? (1ull << (K2 - 64 & 63)) - 1 : 0, u[t + 1] + a * K2 + 64);
    }
    for (int v = 0; v < LANES / 64; v++) {
      __m512i m = _mm512_load_si512(u[0] + 64 * v);
      for (int t = 0; t < 3; t++) m = _mm512_max_epi8(m, _mm512_permutex2var_epi8(low[t], spread[t][v], high[t]));
      bit[v] = _mm512_shuffle_epi8(hot, m);
    }
    for (int v = LANES / 64; v < LANES / 64 + 3; v++) bit[v] = zero;
    for (int v = 0; v < LANES / 64; v += 4) {
      __m512i twos = carry(&plane[0], bit[v], bit[v + 1]);
      __m512i fours = carry(&plane[1], twos, carry(&plane[0], bit[v + 2], bit[v + 3]));
      for (int k = 2; k < 8; k++) {
        __m512i over = _mm512_and_si512(plane[k], fours);
        plane[k] = _mm512_xor_si512(plane[k], fours);
        fours = over;
      }
    }
  }
  int64_t rest = (int64_t)K3 * K;
  for (int m = 0; m < K && m < 8; m++) {
    int64_t n = 0;
    for (int k = 0; k < 8; k++)
      n += (int64_t)__builtin_popcountll(_mm512_test_epi8_mask(plane[k], _mm512_set1_epi8((char)(1 << m)))) << k;
    counts[m] = n;
    rest -= n;
  }
  if (K > 8) counts[8] = rest;
}
#else
static void prepare_spread(void) {}
static void count_rows(Table u[4], int64_t counts[K]) {
  memset(counts, 0, K * sizeof *counts);
  for (int a = 0; a < K; a++)
    for (int x = 0; x < K3; x++) {
      int b = entry(x, 0), c = entry(x, 1), d = entry(x, 2);
      counts[max(max(u[0][x], u[1][row(a, c, d)]), max(u[2][row(a, b, d)], u[3][row(a, b, c)]))]++;
    }
}
#endif

/* Adds the deals whose first two columns are these to totals[margin]. */
int count(int c0, int c1, int64_t totals[K]) {
  static _Thread_local Table (*taken)[3][K2];  /* taken[j][i][pair][x]: the number taken less three of what is left */
  if (!three) return 1;
  if (!taken && !(taken = aligned_alloc(64, sizeof(Table[3][3][K2])))) return 1;
  prepare_spread();
  memset(totals, 0, K * sizeof *totals);
  if (first_turned[c0] != c0 || first_turned[c1] < c0) return 0;
  for (int c2 = c1; c2 < K3; c2++) {
    if (first_turned[c2] < c0) continue;
    int c[4] = {c0, c1, c2, 0};
    int ready = 0;
    Table left[3];
    for (c[3] = c2; c[3] < K3; c[3]++) {
      if (first_turned[c[3]] < c0) continue;
      int ways = likenesses(c);
      if (!ways) continue;
      if (!ready) {
        ready = 1;
        for (int i = 0; i < 3; i++) {
          int p = i == 0, q = i == 2 ? 1 : 2;
          memcpy(left[i], three_rows(row(entry(c0, p), entry(c1, p), entry(c2, p)),
                                     row(entry(c0, q), entry(c1, q), entry(c2, q))), LANES);
          for (int j = 0; j < 3; j++) {
            int a = c[j == 0], b = c[j == 2 ? 1 : 2], number = entry(c[j], i);
            for (int pair = 0; pair < K2; pair++) {
              const int8_t *from = three_rows(row(entry(a, p), entry(b, p), pair / K), row(entry(a, q), entry(b, q), pair % K));
              int8_t *to = taken[j][i][pair];
              for (int x = 0; x < LANES; x++) to[x] = number - from[x];
            }
          }
        }
      }
      int d[3] = {entry(c[3], 0), entry(c[3], 1), entry(c[3], 2)};
      int pair[3] = {d[1] * K + d[2], d[0] * K + d[2], d[0] * K + d[1]};
      int last = row(entry(c0, 2), entry(c1, 2), entry(c2, 2));
      Table u[4];
      int w[4];
      for (int j = 0; j < 3; j++) {
        int a = c[j == 0], b = c[j == 2 ? 1 : 2];
        w[j] = entry(c[j], 2) - taken[j][2][pair[2]][row(entry(a, 2), entry(b, 2), d[2])];
      }
      w[3] = left[2][last];
      for (int x = 0; x < LANES; x++) {
        int8_t box = digit[0][x] - w[1], best = taken[0][0][pair[0]][x];
        if (digit[1][x] - w[2] > box) box = digit[1][x] - w[2];
        if (digit[2][x] - w[3] > box) box = digit[2][x] - w[3];
        if (taken[0][1][pair[1]][x] > best) best = taken[0][1][pair[1]][x];
        if (taken[0][2][pair[2]][x] > best) best = taken[0][2][pair[2]][x];
        u[0][x] = best > box ? best : box;
      }
      for (int x = K3; x < LANES; x++) u[0][x] = 15;  /* no row: counted nowhere */
      for (int x = 0; x < LANES; x++) {
        int8_t best = digit[0][x] - w[0];
        for (int i = 0; i < 3; i++)
          if (taken[1][i][pair[i]][x] > best) best = taken[1][i][pair[i]][x];
        u[1][x] = best;
      }
      for (int x = 0; x < LANES; x++) {
        int8_t best = taken[2][0][pair[0]][x], other = d[0] - left[0][x];
        for (int i = 1; i < 3; i++) {
          if (taken[2][i][pair[i]][x] > best) best = taken[2][i][pair[i]][x];
          if ((int8_t)(d[i] - left[i][x]) > other) other = d[i] - left[i][x];
        }
        u[2][x] = best, u[3][x] = other;
      }
      int64_t counts[K];
      count_rows(u, counts);
      for (int m = 0; m < K; m++) totals[m] += ways * counts[m];
    }
  }
  return 0;
}
