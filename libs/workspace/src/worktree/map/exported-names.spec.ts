import { describe, expect, it } from 'vitest';
import { exportedNames } from './exported-names.js';

const lines = (...all: readonly string[]): string => all.join('\n');

const CASES: readonly (readonly [language: string, path: string, text: string, names: readonly string[]])[] = [
  [
    'functions',
    'a.ts',
    'export function a() {}\nexport async function b() {}\nexport function* c() {}',
    ['a', 'b', 'c'],
  ],
  ['constants', 'a.mjs', 'export const a = 1;\nexport let b = 2, x;\nexport var $c = 3;', ['a', 'b', '$c']],
  ['destructured constants', 'a.js', 'export const { a, b: c, ...rest } = all;', ['a', 'c', 'rest']],
  [
    'types',
    'a.ts',
    lines(
      'export interface A {}',
      'export type B<T> = T;',
      'export const enum C {}',
      'export enum D {}',
      'export abstract class E {}',
      'export declare function f(): void;',
      'export namespace G {}',
    ),
    ['A', 'B', 'C', 'D', 'E', 'f', 'G'],
  ],
  ['a named default', 'a.tsx', 'export default class App {}', ['App']],
  ['a default function', 'a.js', 'export default async function run() {}', ['run']],
  ['an anonymous default', 'a.js', 'export default function () {}', ['default']],
  ['a default expression', 'a.js', 'export default { a: 1 };', ['default']],
  ['a default name', 'a.js', 'export default app;', ['app']],
  ['a list', 'a.js', "export { a, b as c, default as d } from './x.js';", ['a', 'c', 'd']],
  [
    'a list over several lines',
    'a.ts',
    'export type {\n  A,\n  type B,\n  C as D,\n} from "x";\nlet e;',
    ['A', 'B', 'D'],
  ],
  ['a whole module', 'a.ts', "export * from './x.js';\nexport * as y from './y.js';", ['* from ./x.js', 'y']],
  [
    'members of exports',
    'a.cjs',
    'exports.a = 1;\nmodule.exports.b = 2;\nexports.c = exports.d = 3;',
    ['a', 'b', 'c', 'd'],
  ],
  ['no marker of a transpiler', 'a.js', "exports.__esModule = true;\nObject.defineProperty(exports, 'a', {});", ['a']],
  ['one exported value', 'a.js', 'module.exports = parse;', ['parse']],
  ['chained exports', 'a.js', 'exports = module.exports = createApplication;', ['createApplication']],
  ['an exported function', 'a.js', 'module.exports = function parse(text) {', ['parse']],
  ['an exported class', 'a.js', 'module.exports = class Parser extends Base {', ['Parser']],
  ['a module passed on', 'index.js', "module.exports = require('./lib/express');", ['* from ./lib/express']],
  ['an anonymous exported value', 'a.js', 'var res = module.exports = Object.create(base);', ['module.exports']],
  ['an exported object', 'a.js', 'module.exports = { a, b: other, c() {}, ...rest };', ['a', 'b', 'c']],
  [
    'an exported object over several lines',
    'a.js',
    lines(
      'module.exports = {',
      '  a,',
      "  'b': 1,",
      '  c: {',
      '    inner: 1,',
      '  },',
      '  async d() {',
      '    e();',
      '  },',
      '};',
      'f: 1',
    ),
    ['a', 'b', 'c', 'd'],
  ],
  [
    'methods put on an object',
    'a.js',
    'app.use = function use(fn) {\nView.prototype.lookup = function lookup() {',
    ['app.use', 'View.lookup'],
  ],
  [
    'nothing in comments or strings',
    'a.js',
    "// export const a = 1;\n * export const b = 1;\nconst c = 'export const d';",
    [],
  ],
  ['nothing inside of blocks', 'a.js', 'function a() {}\nif (b) { exported(c); }', []],
  [
    'Python',
    'a.py',
    lines(
      'def run(x):',
      '    def inner(): pass',
      'async def wait():',
      'class A(Base):',
      '    def method(self):',
      'class B:',
      'def _hidden():',
      'class _C:',
    ),
    ['run', 'wait', 'A', 'B'],
  ],
  ['Python stubs', 'a.pyi', 'def run() -> int: ...', ['run']],
  [
    'Go',
    'a.go',
    lines(
      'func Run(x int) {',
      'func hidden() {}',
      'func (s *Server) Start() {',
      'func (s server) Stop() {',
      'type Server struct {',
      'type small int',
      'func Map[T any](x T) {',
      'var Default = 1',
      'const Most = 2',
    ),
    ['Run', 'Server.Start', 'Server', 'Map', 'Default', 'Most'],
  ],
  [
    'Rust',
    'a.rs',
    lines(
      'pub fn run() {}',
      'fn hidden() {}',
      'pub(crate) fn inner() {}',
      '    pub async fn wait(&self) {}',
      'pub struct A;',
      'pub enum B {}',
      'pub trait C {}',
      'pub mod d;',
      'pub const E: u8 = 1;',
      'pub static F: u8 = 1;',
      'pub type G = u8;',
      'pub unsafe extern "C" fn h() {}',
      'macro_rules! i {',
      'pub use x::{j, k};',
    ),
    ['run', 'wait', 'A', 'B', 'C', 'd', 'E', 'F', 'G', 'h', 'i'],
  ],
  [
    'Java',
    'A.java',
    lines(
      'public final class A<T> extends B {',
      '  public A(int x) {',
      '  public static Map<String, Integer> count(List<T> all) {',
      '  private void hidden() {',
      '  public int field = 1;',
      'public interface C {',
      'public record D(int x) {',
      'public enum E {',
      'public @interface F {',
    ),
    ['A', 'count', 'C', 'D', 'E', 'F'],
  ],
  [
    'Ruby',
    'a.rb',
    lines(
      'module A',
      '  class B < C',
      '    def run(x)',
      '    def self.build',
      '    def ready?',
      '    def _hidden',
      '  class A::D',
    ),
    ['A', 'B', 'run', 'build', 'ready?', 'A::D'],
  ],
  [
    'PHP',
    'a.php',
    lines(
      '<?php',
      'final class A extends B {',
      '  public function run() {',
      '  public static function build(): self {',
      '  private function hidden() {',
      '  function __construct() {',
      'interface C {',
      'abstract class D {',
      'trait E {',
      'enum F: string {',
      'function helper($x) {',
    ),
    ['A', 'run', 'build', 'C', 'D', 'E', 'F', 'helper'],
  ],
  [
    'C#',
    'A.cs',
    lines(
      'public sealed partial class A : B {',
      '  public async Task<int> RunAsync(int x) {',
      '  private void Hidden() {',
      '  public A() {',
      'public interface IC {',
      'public record D(int X);',
      'public record struct E(int X);',
      'public enum F {',
      'public readonly struct G {',
    ),
    ['A', 'RunAsync', 'IC', 'D', 'E', 'F', 'G'],
  ],
  ['another language', 'a.md', 'export const a = 1;', []],
  ['a name once', 'a.ts', 'export function a(x: 1): 1;\nexport function a(x: 2): 2;', ['a']],
  ['CRLF lines', 'a.ts', 'export const a = 1;\r\nexport {\r\n  b,\r\n};\r\n', ['a', 'b']],
  ['a byte order mark', 'a.ts', '\uFEFFexport const a = 1;', ['a']],
  ['generated code', 'a.go', '// Code generated by protoc. DO NOT EDIT.\nfunc Run() {}', []],
  ['generated code by its tag', 'a.js', '/**\n * @generated\n */\nexport const a = 1;', []],
  ['binary content', 'a.js', 'export const a = 1;\n\0\u0001', []],
];

describe('exportedNames', () => {
  it.each(CASES)('handles %s', (_language, path, text, names) => {
    expect(exportedNames(path, text)).toEqual(names);
  });

  it('returns at most 40 names of at most 60 characters', () => {
    const many = Array.from({ length: 100 }, (_, nth) => `export const a${String(nth)} = 1;`).join('\n');
    expect(exportedNames('a.ts', many)).toHaveLength(40);
    expect(exportedNames('a.ts', `export const ${'a'.repeat(100)} = 1;`)).toEqual(['a'.repeat(60)]);
  });

  it('ignores lines that are too long to be written by a person', () => {
    expect(exportedNames('a.js', `exports.a = "${'x'.repeat(1_000)}";\nexports.b = 1;`)).toEqual(['b']);
  });

  it('takes time in proportion to hostile text', () => {
    const parts = [
      'export ',
      'export const { ',
      'public a ',
      'exports.a = ',
      'pub ',
      'func (',
      'module.exports = {',
      '{',
      ' ',
      'a.',
      '\n',
    ];
    const started = performance.now();
    for (const part of parts) {
      const text = `${part}`.repeat(Math.ceil(64_000 / part.length));
      const wrapped = (text.match(/[^\n]{1,400}|\n/g) ?? []).join('\n');
      for (const path of ['a.ts', 'a.py', 'a.go', 'a.rs', 'A.java', 'a.rb', 'a.php', 'A.cs']) {
        exportedNames(path, text);
        exportedNames(path, wrapped);
      }
    }
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
