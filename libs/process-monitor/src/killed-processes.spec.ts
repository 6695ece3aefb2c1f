import { expect, it } from 'vitest';
import { KilledProcesses } from './killed-processes.js';

it('counts what was killed by project, until the project is forgotten', () => {
  const killed = new KilledProcesses();
  killed.add('__proto__', 2);
  killed.add('other', 0);
  killed.add('__proto__', 1);
  expect([killed.of('__proto__'), killed.of('other'), killed.of('constructor')]).toEqual([3, 0, 0]);
  killed.forget('__proto__');
  expect(killed.of('__proto__')).toBe(0);
});

it('holds a thousand projects, and of more those that it heard of last', () => {
  const killed = new KilledProcesses();
  for (let nth = 0; nth < 1_000; nth += 1) killed.add(`project ${String(nth)}`, 1);
  killed.add('project 0', 1);
  killed.add('one more', 1);
  expect(['project 0', 'project 1', 'project 2', 'one more'].map((one) => killed.of(one))).toEqual([2, 0, 1, 1]);
});
