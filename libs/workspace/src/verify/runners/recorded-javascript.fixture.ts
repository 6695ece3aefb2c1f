/** What the runners themselves wrote, recorded; long ones are cut to the part with the summary. */

export const NODE_SPEC_FAILED = `✔ adds (1.20585ms)
▶ group
  ✔ works (0.334387ms)
  ✖ fails (0.919325ms)
  ﹣ later (0.112868ms) # SKIP
  ✔ someday (0.318884ms) # TODO
✖ group (6.90407ms)
ℹ tests 5
ℹ suites 1
ℹ pass 2
ℹ fail 1
ℹ cancelled 0
ℹ skipped 1
ℹ todo 1
ℹ duration_ms 109.766364
`;

export const NODE_SPEC_COLOURED = `\u001b[32m✔ adds \u001b[90m(0.837043ms)\u001b[39m\u001b[39m
▶ group
  \u001b[32m✔ works \u001b[90m(0.181509ms)\u001b[39m\u001b[39m
  \u001b[31m✖ fails \u001b[90m(0.80157ms)\u001b[39m\u001b[39m
  \u001b[90m﹣ later \u001b[90m(1.319179ms)\u001b[39m # SKIP\u001b[39m
  \u001b[32m✔ someday \u001b[90m(0.202711ms)\u001b[39m # TODO\u001b[39m
\u001b[31m✖ group \u001b[90m(3.223656ms)\u001b[39m\u001b[39m
\u001b[34mℹ tests 5\u001b[39m
\u001b[34mℹ suites 1\u001b[39m
\u001b[34mℹ pass 2\u001b[39m
\u001b[34mℹ fail 1\u001b[39m
\u001b[34mℹ cancelled 0\u001b[39m
\u001b[34mℹ skipped 1\u001b[39m
\u001b[34mℹ todo 1\u001b[39m
\u001b[34mℹ duration_ms 75.108663\u001b[39m
`;

export const NODE_SPEC_SKIPPED = `﹣ one (1.013114ms) # SKIP
ℹ tests 1
ℹ suites 0
ℹ pass 0
ℹ fail 0
ℹ cancelled 0
ℹ skipped 1
ℹ todo 0
ℹ duration_ms 74.516595
`;

export const NODE_SPEC_NONE = `ℹ tests 0
ℹ suites 0
ℹ pass 0
ℹ fail 0
ℹ cancelled 0
ℹ skipped 0
ℹ todo 0
ℹ duration_ms 10.249473
`;

export const NODE_TAP_FAILED = `    1..4
not ok 2 - group
  ---
  duration_ms: 2.602153
  type: 'suite'
  location: '/src/nt/a.test.mjs:3:1'
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  code: 'ERR_TEST_FAILURE'
  ...
1..2
# tests 5
# suites 1
# pass 2
# fail 1
# cancelled 0
# skipped 1
# todo 1
# duration_ms 74.30517
`;

export const NODE_TAP_PASSED = `TAP version 13
# Subtest: one
ok 1 - one
  ---
  duration_ms: 1.046344
  ...
# Subtest: two
ok 2 - two
  ---
  duration_ms: 0.11457
  ...
1..2
# tests 2
# suites 0
# pass 2
# fail 0
# cancelled 0
# skipped 0
# todo 0
# duration_ms 105.997383
`;

export const NODE_DOT_PASSED = `..
`;

/** A file without a test, of node 24. */
export const NODE_SPEC_EMPTY_FILE = `ok
✔ empty.test.mjs (34.619038ms)
ℹ tests 1
ℹ suites 0
ℹ pass 1
ℹ fail 0
ℹ cancelled 0
ℹ skipped 0
ℹ todo 0
ℹ duration_ms 44.525867
`;

/** The same beside a suite that is named after a file. */
export const NODE_SPEC_EMPTY_BESIDE = `ok
✔ empty.test.mjs (35.127243ms)
▶ sum.js
  ✔ adds (0.581874ms)
✔ sum.js (1.580055ms)
ℹ tests 2
ℹ suites 1
ℹ pass 2
ℹ fail 0
ℹ cancelled 0
ℹ skipped 0
ℹ todo 0
ℹ duration_ms 142.270868
`;

export const NODE_TAP_EMPTY_FILE = `TAP version 13
# ok
# Subtest: empty.test.mjs
ok 1 - empty.test.mjs
  ---
  duration_ms: 28.368218
  type: 'test'
  ...
1..1
# tests 1
# suites 0
# pass 1
# fail 0
# cancelled 0
# skipped 0
# todo 0
# duration_ms 34.388967
`;

export const NODE_TAP_EMPTY_BESIDE = `TAP version 13
# ok
# Subtest: empty.test.mjs
ok 1 - empty.test.mjs
  ---
  duration_ms: 43.777416
  type: 'test'
  ...
# Subtest: sum.js
    # Subtest: adds
    ok 1 - adds
      ---
      duration_ms: 0.500463
      type: 'test'
      ...
    1..1
ok 2 - sum.js
  ---
  duration_ms: 1.570552
  type: 'suite'
  ...
1..2
# tests 2
# suites 1
# pass 2
# fail 0
# cancelled 0
# skipped 0
# todo 0
# duration_ms 123.869507
`;

export const NODE_20_SPEC_EMPTY_FILE = `ok
✔ /src/nt/empty.test.mjs (236.361133ms)
ℹ tests 1
ℹ suites 0
ℹ pass 1
ℹ fail 0
ℹ cancelled 0
ℹ skipped 0
ℹ todo 0
ℹ duration_ms 240.115136
`;

export const NODE_20_TAP_EMPTY_FILE = `TAP version 13
# ok
# Subtest: /src/nt/empty.test.mjs
ok 1 - /src/nt/empty.test.mjs
  ---
  duration_ms: 80.668748
  ...
1..1
# tests 1
# suites 0
# pass 1
# fail 0
# cancelled 0
# skipped 0
# todo 0
# duration_ms 98.3636
`;

export const NODE_SPEC_BROKEN_FILE = `Node.js v24.21.0
✖ broken.test.mjs (33.519486ms)
ℹ tests 1
ℹ suites 0
ℹ pass 0
ℹ fail 1
ℹ cancelled 0
ℹ skipped 0
ℹ todo 0
ℹ duration_ms 39.353267

✖ failing tests:

test at broken.test.mjs:1:1
✖ broken.test.mjs (33.519486ms)
  'test failed'
`;

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
