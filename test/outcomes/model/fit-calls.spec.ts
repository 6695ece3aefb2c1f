import { describe, expect, it } from 'vitest';
import { fitCalls } from './fit-calls.js';

const text = { type: 'string' };
const offer = {
  tools: ['read_file', 'list_files'],
  inputs: new Map([
    ['read_file', { type: 'object', properties: { path: text, encoding: text }, required: ['path', 'encoding'] }],
  ]),
};

describe('fitCalls', () => {
  it('gives a tool the input that its schema asks for', () => {
    const toolCalls = [{ name: 'read_file', input: { path: 'a.js', depth: 1 } }];
    expect(fitCalls({ toolCalls }, offer)).toEqual({
      toolCalls: [{ name: 'read_file', input: { path: 'a.js', encoding: '' } }],
    });
  });

  it('leaves out tools that are not offered', () => {
    const toolCalls = [
      { name: 'list_files', input: {} },
      { name: 'run', input: { command: 'ls' } },
    ];
    expect(fitCalls({ text: 'a', toolCalls }, offer)).toEqual({ text: 'a', toolCalls: toolCalls.slice(0, 1) });
    expect(fitCalls({ toolCalls: toolCalls.slice(1) }, offer)).toEqual({ text: 'I have no tool for this: run.' });
  });

  it('leaves an answer alone', () => {
    expect(fitCalls({ text: 'done' }, offer)).toEqual({ text: 'done' });
  });
});
