import type { Word } from './words.js';

/** A script as far as its exit code goes. */
export type Tree =
  | { readonly kind: 'simple'; readonly words: readonly Word[] }
  | { readonly kind: 'pipeline'; readonly stages: readonly Tree[] }
  | { readonly kind: 'chain'; readonly first: Tree; readonly links: readonly Link[] }
  | { readonly kind: 'list' | 'case'; readonly items: readonly Tree[] }
  | { readonly kind: 'not' | 'subshell' | 'background' | 'for'; readonly of: Tree }
  | { readonly kind: 'while'; readonly condition: Tree; readonly body: Tree }
  | { readonly kind: 'if'; readonly condition: Tree; readonly then: Tree; readonly otherwise: Tree };

export interface Link {
  readonly operator: '&&' | '||';
  readonly next: Tree;
}
