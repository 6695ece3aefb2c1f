/** What node:test itself wrote, recorded; long ones are cut to the part with the summary. */

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
