/** What the runners themselves wrote, recorded; long ones are cut to the part with the summary. */

export const VITEST_FAILED = ` Test Files  1 failed | 1 passed (2)
      Tests  1 failed | 3 passed | 1 skipped | 1 todo (6)
   Start at  09:10:34
   Duration  530ms (transform 23ms, setup 0ms, collect 22ms, tests 21ms, environment 0ms, prepare 150ms)

`;

export const VITEST_COLOURED = `\u001b[2m Test Files \u001b[22m \u001b[1m\u001b[31m1 failed\u001b[39m\u001b[22m\u001b[2m | \u001b[22m\u001b[1m\u001b[32m1 passed\u001b[39m\u001b[22m\u001b[90m (2)\u001b[39m
\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[31m1 failed\u001b[39m\u001b[22m\u001b[2m | \u001b[22m\u001b[1m\u001b[32m3 passed\u001b[39m\u001b[22m\u001b[2m | \u001b[22m\u001b[33m1 skipped\u001b[39m\u001b[2m | \u001b[22m\u001b[90m1 todo\u001b[39m\u001b[90m (6)\u001b[39m
\u001b[2m   Start at \u001b[22m 09:10:36
\u001b[2m   Duration \u001b[22m 474ms\u001b[2m (transform 25ms, setup 0ms, collect 21ms, tests 19ms, environment 0ms, prepare 137ms)\u001b[22m

`;

export const VITEST_PASSED = `
 RUN  v3.2.7 /src/vt

 ✓ b.test.mjs (2 tests) 7ms

 Test Files  1 passed (1)
      Tests  2 passed (2)
   Start at  09:10:35
   Duration  305ms (transform 34ms, setup 0ms, collect 17ms, tests 7ms, environment 0ms, prepare 87ms)

`;

export const VITEST_SKIPPED = `
 RUN  v3.2.7 /src/vt

 ↓ a.test.mjs (4 tests | 4 skipped)
 ↓ b.test.mjs (2 tests | 2 skipped)

 Test Files  2 skipped (2)
      Tests  6 skipped (6)
   Start at  09:10:37
   Duration  424ms (transform 39ms, setup 0ms, collect 29ms, tests 0ms, environment 0ms, prepare 118ms)

`;

export const VITEST_NONE = `
 RUN  v3.2.7 /src/vt

No test files found, exiting with code 0

filter: zzz`;

export const JEST_FAILED = `      at Object.toBe (a.test.js:1:66)

PASS ./b.test.js

Test Suites: 1 failed, 1 passed, 2 total
Tests:       1 failed, 1 skipped, 1 todo, 3 passed, 6 total
Snapshots:   0 total
Time:        0.373 s
Ran all test suites.
`;

export const JEST_COLOURED = `\u001b[0m\u001b[7m\u001b[1m\u001b[32m PASS \u001b[39m\u001b[22m\u001b[27m\u001b[0m \u001b[2m./\u001b[22m\u001b[1mb.test.js\u001b[22m

\u001b[1mTest Suites: \u001b[22m\u001b[1m\u001b[31m1 failed\u001b[39m\u001b[22m, \u001b[1m\u001b[32m1 passed\u001b[39m\u001b[22m, 2 total
\u001b[1mTests:       \u001b[22m\u001b[1m\u001b[31m1 failed\u001b[39m\u001b[22m, \u001b[1m\u001b[33m1 skipped\u001b[39m\u001b[22m, \u001b[1m\u001b[35m1 todo\u001b[39m\u001b[22m, \u001b[1m\u001b[32m3 passed\u001b[39m\u001b[22m, 6 total
\u001b[1mSnapshots:   \u001b[22m0 total
\u001b[1mTime:\u001b[22m        0.247 s, estimated 1 s
\u001b[2mRan all test suites\u001b[22m\u001b[2m.\u001b[22m
`;

export const JEST_PASSED = `PASS ./b.test.js
  ✓ one (1 ms)
  ✓ two (1 ms)

Test Suites: 1 passed, 1 total
Tests:       2 passed, 2 total
Snapshots:   0 total
Time:        0.196 s, estimated 1 s
Ran all test suites matching b.
`;

export const JEST_NONE = `No tests found, exiting with code 0
`;

export const MOCHA_FAILED = `

  m
    ✔ adds
    1) fails
    - later
    - pend


  1 passing (4ms)
  2 pending
  1 failing

  1) m
       fails:

      AssertionError [ERR_ASSERTION]: 1 == 2
      + expected - actual

      -1
      +2
      
      at Context.<anonymous> (a.js:1:93)
      at process.processImmediate (node:internal/timers:483:21)



`;

export const MOCHA_COLOURED = `
\u001b[0m\u001b[0m
\u001b[0m  m\u001b[0m
  \u001b[32m  \u001b[32m✔\u001b[39m\u001b[0m\u001b[90m adds\u001b[0m
  \u001b[31m  1) fails\u001b[0m
  \u001b[36m  - later\u001b[0m
  \u001b[36m  - pend\u001b[0m


\u001b[92m \u001b[0m\u001b[32m 1 passing\u001b[0m\u001b[90m (5ms)\u001b[0m
\u001b[36m \u001b[0m\u001b[36m 2 pending\u001b[0m
\u001b[31m  1 failing\u001b[0m

\u001b[0m  1) m
       fails:

      \u001b[31mAssertionError [ERR_ASSERTION]: 1 == 2\u001b[0m
      \u001b[32m+ expected\u001b[0m \u001b[31m- actual\u001b[0m

      \u001b[31m-1\u001b[0m
      \u001b[32m+2\u001b[0m
      \u001b[0m\u001b[90m
      at Context.<anonymous> (a.js:1:93)
      at process.processImmediate (node:internal/timers:483:21)
\u001b[0m


`;

export const MOCHA_PASSED = `

  m
    ✔ one
    ✔ two


  2 passing (4ms)

`;

export const MOCHA_TAP_FAILED = `ok 1 m adds
not ok 2 m fails
  1 == 2
  AssertionError [ERR_ASSERTION]: 1 == 2
      at Context.<anonymous> (a.js:1:93)
      at process.processImmediate (node:internal/timers:483:21)
ok 3 m later # SKIP -
ok 4 m pend # SKIP -
# tests 2
# pass 1
# fail 1
1..4
`;

export const MOCHA_NONE = `

  0 passing (0ms)

`;
