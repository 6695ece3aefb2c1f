import type { Link, Tree } from './tree.js';
import { type Token, tokensOf, type Word } from './words.js';

/** Deeper than anybody writes; what is deeper is not looked at. */
const MOST_NESTED = 60;
const CLOSERS = ['then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}', ')', ';;'];
const NOTHING: Tree = { kind: 'simple', words: [] };
const UNKNOWN: Tree = { kind: 'simple', words: [{ text: '(too deep)', isLiteral: true }] };

/** Null where there is no command. What is no script is taken for the one that it is most like; the shell refuses it. */
export function treeOf(script: string): Tree | null {
  const tokens = tokensOf(script);
  return tokens.some((token) => typeof token !== 'string') ? new Parser(tokens).script() : null;
}

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  script(): Tree {
    const items = [this.list()];
    // A closer of nothing is passed over.
    for (; this.at < this.tokens.length; items.push(this.list())) this.at += 1;
    return oneOf(items);
  }

  private list(): Tree {
    const items: Tree[] = [];
    for (;;) {
      this.skipAll(';');
      if (this.at >= this.tokens.length || CLOSERS.includes(this.here)) return oneOf(items);
      const of = this.chain();
      items.push(this.skip('&') ? { kind: 'background', of } : of);
    }
  }

  private chain(): Tree {
    const first = this.pipeline();
    const links: Link[] = [];
    for (let operator = this.here; operator === '&&' || operator === '||'; operator = this.here) {
      this.at += 1;
      this.skipAll(';');
      links.push({ operator, next: this.pipeline() });
    }
    return links.length === 0 ? first : { kind: 'chain', first, links };
  }

  private pipeline(): Tree {
    let isNegated = false;
    while (this.skip('!')) isNegated = !isNegated;
    const stages = [this.command()];
    while (this.skip('|')) {
      this.skipAll(';');
      stages.push(this.command());
    }
    const [only = NOTHING, ...more] = stages;
    const of: Tree = more.length === 0 ? only : { kind: 'pipeline', stages };
    return isNegated ? { kind: 'not', of } : of;
  }

  private command(): Tree {
    if (this.skip('(')) return { kind: 'subshell', of: this.nested(')') };
    if (this.skip('{')) return this.nested('}');
    if (this.skip('if')) return this.nested('fi', () => this.branches());
    if (this.skip('while')) return this.nested('done', () => this.loop((condition) => condition));
    if (this.skip('until')) return this.nested('done', () => this.loop((of) => ({ kind: 'not', of })));
    if (this.skip('for')) {
      this.passTo('do');
      return { kind: 'for', of: this.nested('done') };
    }
    if (this.skip('case')) return this.nested('esac', () => this.cases());
    return this.skip('[[') ? this.condition() : this.simple();
  }

  private simple(): Tree {
    const words: Word[] = [];
    for (let word = this.word; word; word = this.word) {
      words.push(word);
      this.at += 1;
    }
    if (words.length === 0 || !this.skip('(')) return { kind: 'simple', words };
    // A function: what it does is done where it is called, and there it is not known.
    this.skip(')');
    this.nested('', () => this.command());
    return NOTHING;
  }

  /** What is an operator elsewhere is none here. */
  private condition(): Tree {
    const begin = this.at - 1;
    this.passTo(']]');
    return { kind: 'simple', words: this.tokens.slice(begin, this.at).filter((token) => typeof token !== 'string') };
  }

  private branches(): Tree {
    const condition = this.list();
    this.skip('then');
    const then = this.list();
    if (this.skip('elif')) return { kind: 'if', condition, then, otherwise: this.nested('', () => this.branches()) };
    return { kind: 'if', condition, then, otherwise: this.skip('else') ? this.list() : NOTHING };
  }

  private loop(goesOn: (condition: Tree) => Tree): Tree {
    const condition = goesOn(this.list());
    this.skip('do');
    return { kind: 'while', condition, body: this.list() };
  }

  private cases(): Tree {
    const items: Tree[] = [];
    this.passTo('in');
    for (this.skipAll(';'); this.at < this.tokens.length && this.here !== 'esac'; this.skipAll(';')) {
      this.passTo(')');
      items.push(this.list());
      this.skip(';;');
    }
    return { kind: 'case', items };
  }

  private nested(closer: string, read = () => this.list()): Tree {
    if (this.depth >= MOST_NESTED) this.at = this.tokens.length;
    this.depth += 1;
    const tree = this.depth > MOST_NESTED ? UNKNOWN : read();
    this.depth -= 1;
    this.skip(closer);
    return tree;
  }

  private get word(): Word | undefined {
    const token = this.tokens[this.at];
    return typeof token === 'string' ? undefined : token;
  }

  private get here(): string {
    const token = this.tokens[this.at] ?? '';
    return typeof token === 'string' ? token : token.text;
  }

  private skip(text: string): boolean {
    const isHere = text !== '' && this.here === text;
    if (isHere) this.at += 1;
    return isHere;
  }

  private skipAll(text: string): void {
    while (this.skip(text));
  }

  private passTo(text: string): void {
    while (this.at < this.tokens.length && !this.skip(text)) this.at += 1;
  }
}

const oneOf = (items: readonly Tree[]): Tree => (items.length === 1 && items[0] ? items[0] : { kind: 'list', items });
