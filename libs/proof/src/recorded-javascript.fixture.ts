/** Outputs of failing runs as the runners wrote them; long ones are cut to the part that says why. */

const NODE_SUMMARY = `ℹ tests 1
ℹ suites 0
ℹ pass 0
ℹ fail 1
ℹ duration_ms 51.853879
`;

export const NODE_ASSERTION = `✖ adds (1.160107ms)
${NODE_SUMMARY}
✖ failing tests:

test at assert.test.mjs:1:98
✖ adds (1.160107ms)
  AssertionError [ERR_ASSERTION]: -1 == 3
      at TestContext.<anonymous> (file:///src/nt/assert.test.mjs:1:126)
    code: 'ERR_ASSERTION',
`;

export const NODE_NO_EXPORT = `file:///src/nt/export.test.mjs:1
import {test} from 'node:test'; import {sub} from './sum.mjs'; test('subs', () => sub());
                                        ^^^
SyntaxError: The requested module './sum.mjs' does not provide an export named 'sub'
    at #asyncInstantiate (node:internal/modules/esm/module_job:455:21)

Node.js v24.21.0
✖ export.test.mjs (44.825754ms)
${NODE_SUMMARY}
✖ failing tests:

test at export.test.mjs:1:1
✖ export.test.mjs (44.825754ms)
  'test failed'
`;

export const NODE_NO_MODULE = `node:internal/modules/esm/resolve:272
    throw new ERR_MODULE_NOT_FOUND(
          ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/src/nt/minus.mjs' imported from /src/nt/module.test.mjs
    at finalizeResolution (node:internal/modules/esm/resolve:272:11) {
  code: 'ERR_MODULE_NOT_FOUND',
  url: 'file:///src/nt/minus.mjs'
}

Node.js v24.21.0
✖ module.test.mjs (45.994904ms)
${NODE_SUMMARY}`;

export const NODE_NO_FUNCTION = `✖ subs (0.719171ms)
${NODE_SUMMARY}
✖ failing tests:

test at fn.test.mjs:1:65
✖ subs (0.719171ms)
  TypeError: s.sub is not a function
      at TestContext.<anonymous> (file:///src/nt/fn.test.mjs:1:88)
`;

export const NODE_SYNTAX = `file:///src/nt/syntax.test.mjs:1
import {test} from 'node:test'; import assert from 'node:assert'; test('adds', () => { assert.equal(1 2); });
                                                                                                    ^

SyntaxError: missing ) after argument list
    at compileSourceTextModule (node:internal/modules/esm/utils:319:16)

Node.js v24.21.0
✖ syntax.test.mjs (45.416032ms)
${NODE_SUMMARY}
✖ failing tests:

test at syntax.test.mjs:1:1
✖ syntax.test.mjs (45.416032ms)
  'test failed'
`;

export const NODE_NO_PACKAGE = `node:internal/modules/package_json_reader:331
  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
        ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'lodash-not-there' imported from /src/nt/dep.test.mjs
    at Object.getPackageJSONURL (node:internal/modules/package_json_reader:331:9)
✖ dep.test.mjs (62.44449ms)
`;

export const NODE_THROWN = `✖ throws (1.18213ms)
${NODE_SUMMARY}
✖ failing tests:

test at thrown.test.mjs:1:33
✖ throws (1.18213ms)
  RangeError: bad length
      at TestContext.<anonymous> (file:///src/nt/thrown.test.mjs:1:62)
`;

export const TAP_ASSERTION = `TAP version 13
# Subtest: adds
not ok 1 - adds
  ---
  failureType: 'testCodeFailure'
  error: '-1 == 3'
  code: 'ERR_ASSERTION'
  name: 'AssertionError'
  ...
1..1
# fail 1
`;

export const TAP_NO_FUNCTION = `TAP version 13
# Subtest: subs
not ok 1 - subs
  ---
  failureType: 'testCodeFailure'
  error: 's.sub is not a function'
  code: 'ERR_TEST_FAILURE'
  name: 'TypeError'
  ...
1..1
`;

export const VITEST_ASSERTION = ` FAIL  assert.test.mjs > adds
AssertionError: expected -1 to be 3 // Object.is equality

- Expected
+ Received

 Test Files  1 failed (1)
      Tests  1 failed (1)
`;

export const VITEST_NO_MODULE = ` FAIL  module.test.mjs [ module.test.mjs ]
Error: Cannot find module './minus.mjs' imported from /src/vt/module.test.mjs
 ❯ module.test.mjs:1:76

 Test Files  1 failed (1)
      Tests  no tests
`;

export const VITEST_OLD_NO_MODULE = ` FAIL  module.test.mjs [ module.test.mjs ]
Error: Failed to load url ./minus.mjs (resolved id: ./minus.mjs) in /src/vt/module.test.mjs. Does the file exist?
`;

export const VITEST_NO_FUNCTION = ` FAIL  fn.test.mjs > subs
TypeError: sub is not a function
 ❯ fn.test.mjs:1:127
`;

export const VITEST_SYNTAX = ` FAIL  syntax.test.mjs [ syntax.test.mjs ]
RolldownError: Parse failure: Parse failed with 1 error:
Expected \`,\` or \`)\` but found \`decimal\`
1: import {test, expect} from "vitest"; test('adds', () => { expect(1 2); });
At file: /syntax.test.mjs:1:113
`;

export const JEST_ASSERTION = `FAIL ./a.test.js
  ● adds

    expect(received).toBe(expected) // Object.is equality

    Expected: 3
    Received: -1

      at Object.toBe (a.test.js:1:66)

Tests:       1 failed, 1 total
`;

export const JEST_NO_MODULE = `FAIL ./a.test.js
  ● Test suite failed to run

    Cannot find module './minus' from 'a.test.js'

    > 1 | const { sub } = require('./minus');

Tests:       0 total
`;

export const JEST_NO_FUNCTION = `FAIL ./a.test.js
  ● subs

    TypeError: (0 , _sum.sub) is not a function

      at Object.sub (a.test.js:1:66)
`;

export const JEST_SYNTAX = `FAIL ./a.test.js
  ● Test suite failed to run

    SyntaxError: /src/a.test.js: Unexpected token, expected "," (1:40)

    > 1 | test('adds', () => { expect(1 2); });
`;

export const MOCHA_ASSERTION = `  m
    1) fails

  0 passing (4ms)
  1 failing

  1) m
       fails:

      AssertionError [ERR_ASSERTION]: 1 == 2
      + expected - actual
`;

export const MOCHA_THROWN = `  0 passing (4ms)
  1 failing

  1) m
       fails:
     RangeError: bad length
      at Context.<anonymous> (a.js:1:93)
`;
